/** The port that lists the plans of the platform. */
import { Context, type Effect, type Option } from "effect"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { ListedPlan } from "./PlanRecord.ts"

/**
 * - `list`: a page of the plans by id; with `includeInactive` also those that are not offered any more.
 * - `find`: the plan with that id, active or not.
 */
export class PlanCatalogue extends Context.Service<
  PlanCatalogue,
  {
    readonly list: (includeInactive: boolean, page: PageRequest) => Effect.Effect<Page<ListedPlan>>
    readonly find: (planId: number) => Effect.Effect<Option.Option<ListedPlan>>
  }
>()("@livery/domain/PlanCatalogue") {}
