import { Plan, PlanRepository } from "@livery/domain"
import { Effect } from "effect"
import { only } from "../store/Fields.ts"
import { plans } from "../store/Plans.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(PlanRepository, ({ businesses, step }) => ({
  lock: (businessId) =>
    Effect.flatMap(
      step(() => plans.find(({ plan_id }) => plan_id === businesses.get(businessId)?.subscription_plan_id)),
      (plan) => Effect.map(Effect.orDie(Effect.fromNullishOr(plan)), (stored) => only(Plan, stored))
    )
}))
