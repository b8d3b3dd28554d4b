/** The plans, for super-admins. */
import { Context, Effect, Layer } from "effect"
import { orNotFound } from "../kernel/Errors.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { PlanCatalogue } from "./PlanCatalogue.ts"
import { planRecord } from "./PlanRecord.ts"
import { traced } from "../kernel/TracedFunction.ts"

export class AdminPlans extends Context.Service<AdminPlans>()("@livery/domain/AdminPlans", {
  make: Effect.gen(function* () {
    const plans = yield* PlanCatalogue
    return {
      /** The plans that are offered; with `includeInactive` all of them. */
      list: traced("AdminPlans.list")(function* (includeInactive: boolean, page: PageRequest) {
        return mapPage(yield* plans.list(includeInactive, page), (plan) => planRecord(plan))
      }),

      get: traced("AdminPlans.get")(function* (planId: number) {
        return planRecord(yield* orNotFound("plan")(yield* plans.find(planId)))
      })
    }
  })
}) {
  static readonly layer = Layer.effect(AdminPlans, AdminPlans.make)
}
