/** The worker that raises and sends the invoices of monthly runs. */
import { Cause, Duration, Effect, Layer } from "effect"
import { logFailure } from "../kernel/Faults.ts"
import { tracedRound } from "../kernel/Tracing.ts"
import { type ItemPlace, type ItemWork, MonthlyRunRepository } from "./invoice/MonthlyRunRepository.ts"
import { MonthlyRuns } from "./MonthlyRuns.ts"

const sweepInterval = Duration.seconds(5)

const batchSize = 100

const loggingFailure = (message: string) =>
  Effect.catchCauseIf(
    (cause: Cause.Cause<unknown>) => !Cause.hasInterruptsOnly(cause),
    (cause) => logFailure(message, cause)
  )

/** Works on all items that wait. Several nodes may do so: each invoice is raised once. An item that fails waits for the next round. */
export const makeSweep = Effect.gen(function* () {
  const runs = yield* MonthlyRunRepository
  const { raise, send } = yield* MonthlyRuns

  const sweepOf = Effect.fnUntraced(function* (work: ItemWork) {
    let after: ItemPlace | null = null
    for (;;) {
      const places: ReadonlyArray<ItemPlace> = yield* runs.waiting(work, after, batchSize)
      for (const place of places)
        yield* (work === "raise" ? raise(place) : send(place)).pipe(
          loggingFailure("an invoice of a monthly run could not be made or sent")
        )
      after = places.at(-1) ?? null
      if (places.length < batchSize) return
    }
  })

  return Effect.andThen(sweepOf("raise"), sweepOf("send"))
})

/** Runs the worker while its scope lives. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sweep = yield* makeSweep
    yield* tracedRound("worker.raise_monthly_invoices", sweep).pipe(
      loggingFailure("the invoices of monthly runs could not be made"),
      Effect.andThen(Effect.sleep(sweepInterval)),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
