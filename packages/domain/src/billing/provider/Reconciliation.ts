/** The worker that asks the payment provider for notices that did not arrive, and about open intents. */
import { Cause, DateTime, Duration, Effect, Layer } from "effect"
import { logFailure } from "../../kernel/Faults.ts"
import { tracedRound } from "../../kernel/Tracing.ts"
import { OpenIntents } from "./OpenIntents.ts"
import { PaymentProvider } from "./PaymentProvider.ts"
import { ProviderNotices } from "./ProviderNotices.ts"

/** The time between two requests. */
export const reconciliationInterval = Duration.minutes(10)

/**
 * The age of the oldest notices that the worker asks for. `first`: as long as a provider repeats a notice by itself.
 * `later`: several intervals, so that each notice is asked for several times.
 */
export const reconciliationSpan = { first: Duration.days(3), later: Duration.hours(1) }

/** The age of the oldest open intents that the worker asks about, when it starts and after a failure. */
export const openIntentSpan = Duration.days(90)

/**
 * Runs the worker while its scope lives. Several nodes may run it: a notice is handled once. When it starts and after a
 * failure, it asks for the longer span, and about the open intents.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const provider = yield* PaymentProvider
    const notices = yield* ProviderNotices
    const openIntents = yield* OpenIntents
    let span = reconciliationSpan.first

    const round = Effect.gen(function* () {
      const now = yield* DateTime.now
      const handled = yield* notices.reconcile(DateTime.subtractDuration(now, span))
      if (span === reconciliationSpan.first) {
        const ended = yield* openIntents.settle(DateTime.subtractDuration(now, openIntentSpan))
        if (ended > 0)
          yield* Effect.logWarning(
            "card payments ended while their notices could not arrive; they were asked for",
            {
              ended
            }
          )
      }
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
