import { Context, type Effect } from "effect"
import type { BusinessId } from "../kernel/Ids.ts"
import type { Plan } from "./Plan.ts"

/**
 * The port to the plans that businesses are on.
 *
 * - `hold`: the plan of a business, whose allowances nobody else counts until the open transaction ends. Hold it
 *   before anything else.
 */
export class PlanRepository extends Context.Service<
  PlanRepository,
  { readonly lock: (businessId: BusinessId) => Effect.Effect<Plan> }
>()("@livery/domain/PlanRepository") {}
