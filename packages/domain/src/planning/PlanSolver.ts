/** The port that solves plans of assignments. */
import { Clock, Context, Effect } from "effect"
import type { TooManyRequests } from "../kernel/Errors.ts"
import type { PlanProblem, PlanSolution } from "./PlanProblem.ts"
import { solvePlan } from "./SolvePlan.ts"

/**
 * Solves a plan. `TooManyRequests` if too many plans wait. The default solves it at once, on the thread of its caller; an adapter
 * with a thread of its own leaves the caller's thread free.
 */
export const PlanSolver = Context.Reference<
  (problem: PlanProblem) => Effect.Effect<PlanSolution, TooManyRequests>
>("@livery/domain/PlanSolver", {
  defaultValue: () => (problem) =>
    Effect.map(Clock.Clock, (clock) => {
      const start = clock.currentTimeMillisUnsafe()
      return solvePlan(problem, () => clock.currentTimeMillisUnsafe() - start)
    })
})
