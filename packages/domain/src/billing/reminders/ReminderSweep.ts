/** The worker that reminds customers of invoices that are due. */
import { Cause, Duration, Effect, Layer } from "effect"
import { logFailure } from "../../kernel/Faults.ts"
import type { BusinessId } from "../../kernel/Ids.ts"
import { tracedRound } from "../../kernel/Tracing.ts"
import { InvoiceReminders } from "./InvoiceReminders.ts"
import { ReminderRepository } from "./ReminderRepository.ts"

const sweepInterval = Duration.minutes(10)

const batchSize = 100

/** Runs the worker while its scope lives. Several nodes may run it: each reminder is sent once. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const repository = yield* ReminderRepository
    const reminders = yield* InvoiceReminders

    const loggingFailure = (message: string) =>
      Effect.catchCauseIf(
        (cause: Cause.Cause<unknown>) => !Cause.hasInterruptsOnly(cause),
        (cause) => logFailure(message, cause)
      )

    const sweep = Effect.gen(function* () {
      let after: BusinessId | null = null
      for (;;) {
        const businesses: Effect.Success<ReturnType<typeof repository.businesses>> =
          yield* repository.businesses(after, batchSize)
        for (const business of businesses)
          yield* Effect.asVoid(reminders.send(business)).pipe(
            loggingFailure("the reminders of a business could not be sent")
          )
        after = businesses.at(-1)?.business_id ?? null
        if (businesses.length < batchSize) return
      }
    })

    yield* tracedRound("worker.send_reminders", sweep).pipe(
      loggingFailure("reminders of invoices could not be sent"),
      Effect.andThen(Effect.sleep(sweepInterval)),
      Effect.forever,
      Effect.forkScoped
    )
  })
).pipe(Layer.provide(InvoiceReminders.layer))
