/** The worker that makes the records of imports. */
import { Cause, DateTime, Duration, Effect, Layer } from "effect"
import { faultOf, logFailure } from "../kernel/Faults.ts"
import { tracedRound } from "../kernel/Tracing.ts"
import { type ImportPlace, ImportRepository } from "./ImportRepository.ts"
import { Imports } from "./Imports.ts"

const sweepInterval = Duration.seconds(1)

/** How long the lines of an import are kept after its end. */
const linesKept = Duration.days(7)

const removalInterval = Duration.hours(1)

/** Works on all imports that have not ended, in turns. Several nodes may do so: one works on an import at a time. */
export const makeSweep = Effect.gen(function* () {
  const repository = yield* ImportRepository
  const { noteFailure, work } = yield* Imports

  /** Works on the next lines; whether lines may wait. A failure that is no outage counts, so that no import fails forever. */
  const workOn = (place: ImportPlace) =>
    work(place).pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : logFailure("lines of an import could not be stored", cause).pipe(
              Effect.andThen(faultOf(cause) === undefined ? noteFailure(place) : Effect.void),
              Effect.as(false)
            )
      )
    )

  return Effect.gen(function* () {
    let places = yield* repository.unfinished(100)
    while (places.length > 0) {
      const waiting: Array<ImportPlace> = []
      for (const place of places) if (yield* workOn(place)) waiting.push(place)
      places = waiting
    }
  })
})

/** Removes the lines of imports that ended long ago: they have personal data, and the records have it too. */
export const removeLines = Effect.gen(function* () {
  const repository = yield* ImportRepository
  yield* repository.removeLines(DateTime.subtractDuration(yield* DateTime.now, linesKept))
})

const loggingFailure = (message: string) =>
  Effect.catchCauseIf(
    (cause: Cause.Cause<unknown>) => !Cause.hasInterruptsOnly(cause),
    (cause) => logFailure(message, cause)
  )

/** Runs the worker while its scope lives. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sweep = yield* makeSweep
    yield* tracedRound("worker.import_lines", sweep).pipe(
      loggingFailure("imports could not be worked on"),
      Effect.andThen(Effect.sleep(sweepInterval)),
      Effect.forever,
      Effect.forkScoped
    )
    yield* tracedRound("worker.remove_import_lines", removeLines).pipe(
      loggingFailure("lines of imports could not be removed"),
      Effect.andThen(Effect.sleep(removalInterval)),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
