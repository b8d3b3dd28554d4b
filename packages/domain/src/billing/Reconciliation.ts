/** The worker that asks the payment provider for notices that did not arrive. */
import { Cause, DateTime, Duration, Effect, Layer } from "effect"
import { logFailure } from "../kernel/Faults.ts"
import { tracedRound } from "../kernel/Tracing.ts"
import { PaymentProvider } from "./PaymentProvider.ts"
import { ProviderNotices } from "./ProviderNotices.ts"

/** The time between two requests. */
export const reconciliationInterval = Duration.minutes(10)

/**
 * The age of the oldest notices that the worker asks for. `first`: as long as a provider repeats a notice by itself.
 * `later`: several intervals, so that each notice is asked for several times.
 */
export const reconciliationSpan = { first: Duration.days(3), later: Duration.hours(1) }

/**
 * Runs the worker while its scope lives. Several nodes may run it: a notice is handled once. After a failure it asks for the
 * longer span again.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const provider = yield* PaymentProvider
    const notices = yield* ProviderNotices
    let span = reconciliationSpan.first

    const round = Effect.gen(function* () {
      const since = DateTime.subtractDuration(yield* DateTime.now, span)
      const handled = yield* notices.reconcile(since)
      span = reconciliationSpan.later
      if (handled > 0)
        yield* Effect.logWarning("notices of the payment provider did not arrive; they were asked for", {
          handled
        })
    })

    const repeated = tracedRound("worker.reconcile_payments", round).pipe(
      Effect.catchCauseIf(
        (cause) => !Cause.hasInterruptsOnly(cause),
        (cause) => {
          span = reconciliationSpan.first
          return logFailure("the payment provider could not be asked for its notices", cause)
        }
      ),
      Effect.andThen(Effect.sleep(reconciliationInterval)),
      Effect.forever
    )

    // Without a provider there is nothing to ask.
    yield* Effect.forkScoped(Effect.ignore(Effect.andThen(provider.configured, repeated)))
  })
)
