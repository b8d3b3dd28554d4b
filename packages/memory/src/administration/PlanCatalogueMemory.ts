/** The domain's `PlanCatalogue` in memory: the plans of a new installation. */
import { PlanCatalogue } from "@livery/domain"
import { Effect, Layer, Option } from "effect"
import { plans } from "../store/Plans.ts"
import { pageOf } from "../store/Pages.ts"

export const layer = Layer.succeed(
  PlanCatalogue,
  PlanCatalogue.of({
    list: (includeInactive, page) =>
      Effect.succeed(
        pageOf(
          plans.filter(({ active }) => active || includeInactive),
          page
        )
      ),
    find: (planId) => Effect.succeed(Option.fromUndefinedOr(plans.find(({ plan_id }) => plan_id === planId)))
  })
)
