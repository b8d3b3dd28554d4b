/**
 * The worker that stores the expiry of quotes and bookings. Reading a record applies its expiry before the worker
 * has stored it, and so does taking the places of a product.
 */
import { Cause, DateTime, Duration, Effect, Layer } from "effect"
import { logFailure } from "../kernel/Faults.ts"
import { tracedRound } from "../kernel/Tracing.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { type BookingKey, BookingRepository } from "./bookings/BookingRepository.ts"
import { BookingSteps } from "./bookings/BookingSteps.ts"
import { QuoteRepository } from "./quotes/QuoteRepository.ts"

const sweepInterval = Duration.minutes(1)

const batchSize = 500

/** Runs the worker while its scope lives: each minute, it stores what has expired. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const transaction = yield* Transaction
    const quotes = yield* QuoteRepository
    const bookings = yield* BookingRepository
    const steps = yield* BookingSteps

    /**
     * Stores the expiry of a booking, and returns whether that succeeded. Each has a transaction of its own, so that none
     * waits for the product of another one, and one that fails does not stop the others.
     */
    const expire = (key: BookingKey) =>
      Effect.as(transaction.run(steps.expire(key)), true).pipe(
        Effect.catchCauseIf(
          (cause) => !Cause.hasInterruptsOnly(cause),
          (cause) => {
            const booking = `booking ${key.booking_id} of business ${key.business_id}`
            return Effect.as(
              logFailure(`The expiry of ${booking} could not be stored; it is tried again`, cause),
              false
            )
          }
        )
      )

    const round = Effect.gen(function* () {
      const now = yield* DateTime.now
      const expired = yield* quotes.expireDue(now, batchSize)
      const due = yield* bookings.due(now, batchSize)
      const stored = yield* Effect.forEach(due, expire)
      // Bookings that failed are due again, so a full batch of them must not start the next round at once.
      const isMoreDue = due.length === batchSize && stored.includes(true)
      return expired < batchSize && !isMoreDue
    })

    const sweep = Effect.flatMap(tracedRound("worker.expire_sales", round), (isDone) =>
      isDone ? Effect.sleep(sweepInterval) : Effect.void
    )

    yield* sweep.pipe(
      Effect.catchCauseIf(
        (cause) => !Cause.hasInterruptsOnly(cause),
        (cause) =>
          Effect.andThen(
            logFailure("Quotes and bookings could not be marked as expired", cause),
            Effect.sleep(sweepInterval)
          )
      ),
      Effect.forever,
      Effect.forkScoped
    )
  })
).pipe(Layer.provide(BookingSteps.layer))
