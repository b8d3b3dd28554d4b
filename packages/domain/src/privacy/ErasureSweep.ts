/** The worker that completes erasures whose process ended or failed. */
import { Cause, DateTime, Duration, Effect, Layer, Option } from "effect"
import { logFailure } from "../kernel/Faults.ts"
import { retryDelayAfter } from "../kernel/time/RetryDelay.ts"
import { tracedRound } from "../kernel/Tracing.ts"
import { ErasureRepository, type HeldErasure } from "./ErasureRepository.ts"
import { ErasureRun } from "./ErasureRun.ts"

const sweepInterval = Duration.minutes(1)

/**
 * Runs the worker while its scope lives. Several nodes may run it: each erasure is continued under a lease. One that fails is
 * tried again later, and does not delay the others.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const erasures = yield* ErasureRepository
    const run = yield* ErasureRun

    const complete = (held: HeldErasure) =>
      run.resume(held).pipe(
        Effect.catchCauseIf(
          (cause) => !Cause.hasInterruptsOnly(cause),
          Effect.fnUntraced(function* (cause) {
            yield* logFailure("an erasure could not be completed; it is tried again", cause)
            const delay = Duration.seconds(retryDelayAfter(held.attempt))
            yield* erasures.postpone(held, DateTime.addDuration(yield* DateTime.now, delay))
          })
        )
      )

    const round = Effect.gen(function* () {
      for (;;) {
        const held = yield* run.claim
        if (Option.isNone(held)) return
        yield* complete(held.value)
      }
    })

    yield* tracedRound("worker.complete_erasures", round).pipe(
      Effect.catchCauseIf(
        (cause) => !Cause.hasInterruptsOnly(cause),
        (cause) => logFailure("interrupted erasures could not be completed", cause)
      ),
      Effect.andThen(Effect.sleep(sweepInterval)),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
