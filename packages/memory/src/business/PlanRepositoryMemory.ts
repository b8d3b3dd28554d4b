/** The domain's `PlanRepository` in memory. */
import { Currency, type Plan, PlanRepository } from "@livery/domain"
import { Effect, Layer } from "effect"
import { Store } from "../store/Store.ts"

const currency = Currency.make("USD")

/** The plans of a new installation. */
const plans: ReadonlyArray<Plan> = [
  { plan_id: 1, cars: 2, drivers: 2, invoices: 10, seat_minor: null, currency },
  { plan_id: 2, cars: 20, drivers: 10, invoices: 500, seat_minor: 1500, currency },
  { plan_id: 3, cars: null, drivers: 50, invoices: null, seat_minor: 1000, currency }
]

export const layer = Layer.effect(
  PlanRepository,
  Effect.map(Store, ({ businesses, step }) =>
    PlanRepository.of({
      lock: (businessId) =>
        Effect.flatMap(
          step(() =>
            plans.find(({ plan_id }) => plan_id === businesses.get(businessId)?.subscription_plan_id)
          ),
          (plan) => Effect.orDie(Effect.fromNullishOr(plan))
        )
    })
  )
)
