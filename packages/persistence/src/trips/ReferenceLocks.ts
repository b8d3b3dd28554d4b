/** Locks that trips share with the repositories of cars and customers. */
import { type BusinessId, CarId } from "@livery/domain"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { rowsAs } from "../sql/rows/Rows.ts"

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

const carsOf = rowsAs(Schema.Struct({ car_id: CarId }))

/** Those of the cars that the business has and that are active, locked like a car of {@link lockActiveCar}. */
export const lockActiveCars =
  (sql: SqlClient.SqlClient) =>
  (businessId: BusinessId, carIds: ReadonlyArray<CarId>): Effect.Effect<ReadonlyArray<CarId>> =>
    carIds.length === 0
      ? Effect.succeed([])
      : Effect.map(
          carsOf(sql`
            SELECT car_id FROM cars
            WHERE business_id = ${businessId} AND car_id = ANY (${carIds}::bigint[]) AND active AND deleted_at IS NULL
            ORDER BY car_id FOR KEY SHARE`),
          (cars) => cars.map(({ car_id }) => car_id)
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
