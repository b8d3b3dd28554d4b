/** The domain's `PlanRepository` on PostgreSQL. */
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Currency, PlanRepository } from "@livery/domain"
import { rowsAs } from "../sql/Rows.ts"

const limit = Schema.NullOr(Schema.Int)

const plans = rowsAs(
  Schema.Struct({
    plan_id: Schema.Int,
    cars: limit,
    drivers: limit,
    invoices: limit,
    seat_minor: limit,
    currency: Currency
  })
)

export const layer = Layer.effect(
  PlanRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return PlanRepository.of({
      lock: (businessId) =>
        Effect.flatMap(
          plans(sql`
            SELECT p.plan_id, p.cars, p.drivers, p.invoices, p.seat_minor, p.currency
            FROM businesses b JOIN plans p ON p.plan_id = b.subscription_plan_id
            WHERE b.business_id = ${businessId} FOR NO KEY UPDATE OF b`),
          ([plan]) => Effect.orDie(Effect.fromNullishOr(plan))
        )
    })
  })
)
