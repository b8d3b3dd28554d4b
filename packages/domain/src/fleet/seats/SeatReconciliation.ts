/** The worker that keeps what the payment provider charges for seats equal to the seats of each business. */
import { Cause, DateTime, Duration, Effect, Layer } from "effect"
import { PaymentProvider } from "../../billing/provider/PaymentProvider.ts"
import { logFailure } from "../../kernel/Faults.ts"
import { tracedRound } from "../../kernel/Tracing.ts"
import { SeatSubscriptionRepository } from "./SeatSubscriptionRepository.ts"
import { SeatSubscriptions } from "./SeatSubscriptions.ts"

const sweepInterval = Duration.minutes(1)

const batchSize = 100

/**
 * Runs the worker while its scope lives, if a provider is configured. Several nodes may run it: each quantity is changed
 * under the lease of its business.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const provider = yield* PaymentProvider
    const stored = yield* SeatSubscriptionRepository
    const subscriptions = yield* SeatSubscriptions

    const sweep = Effect.gen(function* () {
      const due = yield* stored.due(yield* DateTime.now, batchSize)
      for (const business_id of due)
        yield* subscriptions.reconcile(business_id).pipe(
          Effect.catch(({ message }) =>
            Effect.logWarning("the seats of a business could not be reconciled with the payment provider", {
              business_id,
              reason: message
            })
          )
        )
    })

    const repeated = tracedRound("worker.reconcile_seats", sweep).pipe(
      Effect.catchCauseIf(
        (cause) => !Cause.hasInterruptsOnly(cause),
        (cause) => logFailure("seats could not be reconciled with the payment provider", cause)
      ),
      Effect.andThen(Effect.sleep(sweepInterval)),
      Effect.forever
    )

    yield* Effect.forkScoped(Effect.ignore(Effect.andThen(provider.configured, repeated)))
  })
).pipe(Layer.provide(SeatSubscriptions.layer))
