/** The domain's `CustomerLookup` on PostgreSQL. */
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CustomerId, CustomerLookup } from "@livery/domain"
import { rowsAs } from "../sql/Rows.ts"
import { emailLock } from "./EmailLock.ts"

const ids = rowsAs(Schema.Struct({ customer_id: CustomerId }))

export const layer = Layer.effect(
  CustomerLookup,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return CustomerLookup.of({
      lock: (businessId, customerId) =>
        Effect.orDie(
          Effect.map(
            sql`
              SELECT FROM customers
              WHERE business_id = ${businessId} AND customer_id = ${customerId} AND deleted_at IS NULL
              FOR KEY SHARE`,
            (customers) => customers.length > 0
          )
        ),
      lockByEmail: Effect.fnUntraced(function* (businessId, email) {
        // A statement of its own: the next one then sees the emails that were committed while this one waited.
        yield* Effect.orDie(sql`SELECT pg_advisory_xact_lock_shared(${emailLock(sql, businessId)})`)
        const [found] = yield* ids(sql`
          SELECT customer_id FROM customers
          WHERE business_id = ${businessId} AND email = ${email} AND deleted_at IS NULL FOR KEY SHARE`)
        return Option.fromNullishOr(found?.customer_id)
      })
    })
  })
)
