/** The port that reads the plans of businesses. */
import { Context, type Effect } from "effect"
import type { BusinessId } from "../kernel/Ids.ts"
import type { Plan } from "./Plan.ts"

/**
 * - `lock`: the plan of a business. Until the open transaction ends, no other transaction counts against its limits. It is
 *   the first lock of a transaction that needs it (docs/lock-order.md).
 */
export class PlanRepository extends Context.Service<
  PlanRepository,
  { readonly lock: (businessId: BusinessId) => Effect.Effect<Plan> }
>()("@livery/domain/PlanRepository") {}
