/** Locks that trips share with the repositories of cars and customers. */
import type { BusinessId, CarId } from "@livery/domain"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/**
 * Checks that the business has that car and the car is active. It then cannot be deleted before the transaction ends.
 */
export const lockActiveCar =
  (sql: SqlClient.SqlClient) =>
  (businessId: BusinessId, carId: CarId): Effect.Effect<boolean> =>
    Effect.orDie(
      Effect.map(
        sql`
          SELECT FROM cars
          WHERE business_id = ${businessId} AND car_id = ${carId} AND active AND deleted_at IS NULL
          FOR KEY SHARE`,
        (cars) => cars.length > 0
      )
    )

/**
 * Locks the emails of the business's customers until the transaction ends: `FOR UPDATE` to give a customer an email, `FOR
 * SHARE` to look a customer up by email. The row to lock is inserted at the first use.
 */
export const lockCustomerEmails = (
  sql: SqlClient.SqlClient,
  businessId: BusinessId,
  mode: "FOR UPDATE" | "FOR SHARE"
) => {
  const lock = sql`SELECT FROM customer_email_locks WHERE business_id = ${businessId} ${sql.literal(mode)}`
  return lock.pipe(
    Effect.flatMap((rows) =>
      rows.length > 0
        ? Effect.void
        : Effect.andThen(
            sql`INSERT INTO customer_email_locks (business_id) VALUES (${businessId}) ON CONFLICT DO NOTHING`,
            lock
          )
    ),
    Effect.orDie,
    Effect.asVoid
  )
}
