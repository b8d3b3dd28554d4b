/** The worker that follows flights, once a minute. */
import { Cause, Duration, Effect, Layer } from "effect"
import { logFailure } from "../kernel/Faults.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import { tracedRound } from "../kernel/Tracing.ts"
import { FlightChecks } from "./FlightChecks.ts"
import { FlightSource } from "./FlightSource.ts"

const sweepInterval = Duration.minutes(1)

const batchSize = 100

/** Runs the worker while its scope lives, if there is a service of flight status. Several nodes may run it. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    if ((yield* FlightSource) === undefined) return
    const checks = yield* FlightChecks

    const loggingFailure = (message: string) =>
      Effect.catchCauseIf(
        (cause: Cause.Cause<unknown>) => !Cause.hasInterruptsOnly(cause),
        (cause) => logFailure(message, cause)
      )

    const sweep = Effect.gen(function* () {
      let after: BusinessId | null = null
      for (;;) {
        const businesses: Effect.Success<ReturnType<typeof checks.businesses>> = yield* checks.businesses(
          after,
          batchSize
        )
        for (const business of businesses)
          yield* checks
            .checkDue(business)
            .pipe(loggingFailure("the flights of a business could not be checked"))
        after = businesses.at(-1)?.acting.business_id ?? null
        if (businesses.length < batchSize) return
      }
    })

    yield* tracedRound("worker.follow_flights", sweep).pipe(
      loggingFailure("flights could not be checked"),
      Effect.andThen(Effect.sleep(sweepInterval)),
      Effect.forever,
      Effect.forkScoped
    )
  })
).pipe(Layer.provide(FlightChecks.layer))
