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
 * The key of the advisory lock on the emails of a business's customers: exclusive to give a customer an email, shared
 * to look a customer up by email.
 */
export const emailLock = (sql: SqlClient.SqlClient, businessId: BusinessId) =>
  sql`hashtextextended('customers by email', ${businessId}::bigint)`
