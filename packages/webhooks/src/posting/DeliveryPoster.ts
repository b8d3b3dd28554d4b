/**
 * Posts claimed deliveries safely: only while their claim is recent enough, signed, over a guarded connection, and within
 * a time limit. It does not depend on the queue of the deliveries.
 */
import type { Cryptography } from "@livery/domain"
import { Effect, FiberSet } from "effect"
import type { TimedClaim } from "../time/TimedClaim.ts"
import { type AttemptOptions, makeAttempt } from "./Attempt.ts"

/** Makes a poster for the scope. `interrupt` ends the running attempts, whose results say so. */
export const makeDeliveryPoster = Effect.fnUntraced(function* (options: AttemptOptions) {
  const attempt = yield* makeAttempt(options)
  const running = yield* FiberSet.make<void>()
  const fork = yield* FiberSet.runtime(running)<Cryptography>()
  return {
    post: (claims: ReadonlyArray<TimedClaim>): void => {
      for (const claim of claims) fork(attempt(claim))
    },
    interrupt: FiberSet.clear(running)
  }
})
