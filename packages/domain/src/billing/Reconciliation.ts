/** The worker that asks the payment provider for what its notices did not report. */
import { Cause, DateTime, Duration, Effect, Layer } from "effect"
import { logFailure } from "../kernel/Faults.ts"
import { PaymentProvider } from "./PaymentProvider.ts"
import { ProviderNotices } from "./ProviderNotices.ts"

/** How often it asks. */
export const reconciliationInterval = Duration.minutes(10)

/** How far back it asks: at its start, for as long as a provider repeats a notice by itself, and then over several rounds. */
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

    const repeated = round.pipe(
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
