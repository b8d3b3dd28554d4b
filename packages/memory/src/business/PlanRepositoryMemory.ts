/** The domain's `PlanRepository` in memory. */
import { Plan, PlanRepository } from "@livery/domain"
import { Effect, Layer } from "effect"
import { only } from "../store/Fields.ts"
import { plans } from "../store/Plans.ts"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  PlanRepository,
  Effect.map(Store, ({ businesses, step }) =>
    PlanRepository.of({
      lock: (businessId) =>
        Effect.flatMap(
          step(() =>
            plans.find(({ plan_id }) => plan_id === businesses.get(businessId)?.subscription_plan_id)
          ),
          (plan) => Effect.map(Effect.orDie(Effect.fromNullishOr(plan)), (stored) => only(Plan, stored))
        )
    })
  )
)
