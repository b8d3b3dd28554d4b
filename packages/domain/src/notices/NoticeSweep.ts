/** The worker that tells what is due. */
import { Cause, DateTime, Duration, Effect, Layer } from "effect"
import { logFailure } from "../kernel/Faults.ts"
import { tracedRound } from "../kernel/Tracing.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { type DueTrip, NoticeRepository } from "./NoticeRepository.ts"
import { NoticeTelling } from "./NoticeTelling.ts"

const batchSize = 100
const pollInterval = Duration.seconds(5)
const reminderRounds = 12

/** Runs the worker while its scope lives. Several nodes may run it: each notice is sent once. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const notices = yield* NoticeRepository
    const telling = yield* NoticeTelling
    const transaction = yield* Transaction
    let round = 0

    // One trip that fails must not stop the others.
    const alone = (due: DueTrip, work: Effect.Effect<boolean>) =>
      work.pipe(
        Effect.catchCauseIf(
          (cause: Cause.Cause<never>) => !Cause.hasInterruptsOnly(cause),
          (cause) =>
            Effect.as(
              logFailure(`the notices of trip ${due.trip_id} failed; they are tried again`, cause),
              false
            )
        )
      )

    const settle = Effect.fnUntraced(function* (due: DueTrip) {
      const isClaimed = yield* transaction.run(notices.claim(due, yield* DateTime.now))
      return isClaimed && (yield* telling.settle(due))
    })

    const sweep = Effect.gen(function* () {
      const now = yield* DateTime.now
      const due = yield* notices.due(now, batchSize)
      const told = yield* Effect.forEach(due, (one) => alone(one, settle(one)), { concurrency: 4 })
      const isReminderRound = round++ % reminderRounds === 0
      const reminders = isReminderRound ? yield* notices.dueReminders(now, batchSize) : []
      const reminded = yield* Effect.forEach(reminders, (one) => alone(one, telling.remind(one)), {
        concurrency: 4
      })
      if (reminders.length === batchSize && reminded.includes(true)) round = 0
      return (due.length === batchSize && told.includes(true)) || round === 0
    })

    yield* Effect.flatMap(tracedRound("worker.tell_notices", sweep), (isMoreDue) =>
      isMoreDue ? Effect.void : Effect.sleep(pollInterval)
    ).pipe(
      Effect.catchCauseIf(
        (cause) => !Cause.hasInterruptsOnly(cause),
        (cause) =>
          Effect.andThen(
            logFailure("notices could not be told; they are tried again", cause),
            Effect.sleep(pollInterval)
          )
      ),
      Effect.forever,
      Effect.forkScoped
    )
  })
).pipe(Layer.provide(NoticeTelling.layer))
