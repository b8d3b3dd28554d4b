/** The plans, for super-admins. */
import { Context, Effect, Layer } from "effect"
import { type NotFound, orNotFound } from "../kernel/Errors.ts"
import { mapPage, type Page, type PageRequest } from "../kernel/Page.ts"
import { PlanCatalogue } from "./PlanCatalogue.ts"
import { planRecord, type PlanRecord } from "./PlanRecord.ts"
import { traced } from "../kernel/TracedFunction.ts"

/**
 * - `list`: the plans that are offered; with `includeInactive` all of them.
 * - `get`: one plan; `NotFound` if there is none with that id.
 */
export class AdminPlans extends Context.Service<
  AdminPlans,
  {
    readonly list: (includeInactive: boolean, page: PageRequest) => Effect.Effect<Page<PlanRecord>>
    readonly get: (planId: number) => Effect.Effect<PlanRecord, NotFound>
  }
>()("@livery/domain/AdminPlans") {
  static readonly layer = Layer.effect(
    AdminPlans,
    Effect.map(PlanCatalogue, (plans) =>
      AdminPlans.of({
        list: traced("AdminPlans.list")(function* (includeInactive, page) {
          return mapPage(yield* plans.list(includeInactive, page), (plan) => planRecord(plan))
        }),
        get: traced("AdminPlans.get")(function* (planId) {
          return planRecord(yield* orNotFound("plan")(yield* plans.find(planId)))
        })
      })
    )
  )
}
