/** The domain's `TripReferences` on PostgreSQL. */
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CustomerId, TripReferences } from "@livery/domain"
import { rowsAs } from "../sql/Rows.ts"
import { lockActiveCar, lockCustomerEmails } from "./ReferenceLocks.ts"

const ids = rowsAs(Schema.Struct({ customer_id: CustomerId }))

export const layer = Layer.effect(
  TripReferences,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return TripReferences.of({
      lockCar: lockActiveCar(sql),
      lockCustomer: (businessId, customerId) =>
        Effect.orDie(
          Effect.map(
            sql`
              SELECT FROM customers
              WHERE business_id = ${businessId} AND customer_id = ${customerId} AND deleted_at IS NULL
              FOR KEY SHARE`,
            (customers) => customers.length > 0
          )
        ),
      lockCustomerByEmail: Effect.fnUntraced(function* (businessId, email) {
        // A separate statement, so that the next one sees an email that was set while this one waited.
        yield* lockCustomerEmails(sql, businessId, "FOR SHARE")
        const [customer] = yield* ids(sql`
          SELECT customer_id FROM customers
          WHERE business_id = ${businessId} AND email = ${email} AND deleted_at IS NULL FOR KEY SHARE`)
        return Option.fromNullishOr(customer?.customer_id)
      })
    })
  })
)
