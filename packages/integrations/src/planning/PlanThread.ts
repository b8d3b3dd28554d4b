/** The domain's `PlanSolver` on a thread of its own. */
import { makeBoundedQueue, type PlanProblem, type PlanSolution, PlanSolver } from "@livery/domain"
import { type Duration, Effect, Layer, RcRef } from "effect"
import { programBeside, startWorkThread } from "../threads/WorkThread.ts"

/** The options of {@link layer}. */
export interface PlanThreadOptions {
  /** How long the thread lives without work; 1 minute by default. */
  readonly idle?: Duration.Input | undefined
  /** How many plans may wait; 4 by default, since each takes a few seconds. */
  readonly waiting?: number | undefined
}

/**
 * Makes one plan after the other on a thread that starts with the first one. `TooManyRequests` if more than `waiting` plans
 * wait. A plan whose request is interrupted ends with its thread, and the next plan gets a new one.
 */
export const layer = ({ idle = "1 minute", waiting = 4 }: PlanThreadOptions = {}): Layer.Layer<never> =>
  Layer.effect(
    PlanSolver,
    Effect.gen(function* () {
      const queued = yield* makeBoundedQueue({ concurrency: 1, waiting })
      const thread = yield* RcRef.make({
        acquire: startWorkThread<PlanProblem, PlanSolution>({
          program: programBeside(import.meta.url, "PlanWorker"),
          name: "livery-plan",
          memory: 256
        }),
        idleTimeToLive: idle
      })
      return (problem: PlanProblem) =>
        queued(
          Effect.scoped(Effect.flatMap(RcRef.get(thread), ({ run }) => run(problem))).pipe(
            Effect.tapError(({ broken }) => (broken ? RcRef.invalidate(thread) : Effect.void)),
            Effect.retry({ times: 1, while: ({ unsent }) => unsent }),
            Effect.onInterrupt(() => RcRef.invalidate(thread)),
            // The problem has passed its checks, so a failure is a fault of the program.
            Effect.orDie
          )
        )
    })
  )
