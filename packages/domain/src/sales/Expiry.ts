/** The worker that stores the expiry of quotes. Reading a quote applies its expiry at once, also before this worker does. */
import { Cause, DateTime, Duration, Effect, Layer } from "effect"
import { logFailure } from "../kernel/Faults.ts"
import { QuoteRepository } from "./QuoteRepository.ts"

const sweepInterval = Duration.minutes(1)

const batchSize = 500

/** Runs the worker while its scope lives: each minute, it stores what has expired. */
export const layer: Layer.Layer<never, never, QuoteRepository> = Layer.effectDiscard(
  Effect.gen(function* () {
    const quotes = yield* QuoteRepository

    const sweep = Effect.gen(function* () {
      const expired = yield* quotes.expireDue(yield* DateTime.now, batchSize)
      if (expired < batchSize) yield* Effect.sleep(sweepInterval)
    })

    yield* sweep.pipe(
      Effect.catchCauseIf(
        (cause) => !Cause.hasInterruptsOnly(cause),
        (cause) =>
          Effect.andThen(
            logFailure("Quotes could not be marked as expired", cause),
            Effect.sleep(sweepInterval)
          )
      ),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
