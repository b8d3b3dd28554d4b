/**
 * Compares this machine's clock with the database's. Receivers refuse a signature whose time is more than a few minutes
 * off, so a dispatcher with a wrong clock signs with the database's time, and reports the difference.
 */
import { Clock, DateTime, Effect, Metric } from "effect"

/** A difference of more milliseconds than this is reported and corrected. */
const toleranceMillis = 60_000

const offset = Metric.gauge("livery_webhook_clock_offset_seconds", {
  description: "How far the database's clock is ahead of this machine's; negative if it is behind"
})

/** Makes the clock of one dispatcher. Before the first observation, it is this machine's. */
export const makeDatabaseClock = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const context = yield* Effect.context()
  let correction = 0

  return {
    /**
     * The time for signatures, in Unix milliseconds: the database's, if this machine's differs by more than a minute.
     */
    currentMillis: (): number => clock.currentTimeMillisUnsafe() + correction,

    /**
     * Takes `databaseMillis`, the database's time at an unknown moment between `sentAt` and now, all in Unix
     * milliseconds. Logs when the difference exceeds a minute, and when it no longer does.
     *
     * An example with a statement from 12:00:00 to 12:00:05 by this machine's clock: a database time of 12:00:03 shows no
     * difference, 12:00:07 shows that this clock is at least 2 s behind, and 11:59:58 that it is at least 2 s ahead.
     */
    observe: ({
      databaseMillis,
      sentAt
    }: {
      readonly databaseMillis: number
      readonly sentAt: number
    }): Effect.Effect<void> => {
      const ahead = databaseMillis - clock.currentTimeMillisUnsafe()
      const behind = databaseMillis - sentAt
      // The smallest difference that is consistent with both moments, so that a slow statement does not count as one.
      const difference = ahead > 0 ? ahead : Math.min(behind, 0)
      offset.updateUnsafe(difference / 1000, context)
      const wasCorrected = correction !== 0
      correction = Math.abs(difference) > toleranceMillis ? difference : 0
      if ((correction !== 0) === wasCorrected) return Effect.void
      return wasCorrected
        ? Effect.logInfo("The clock agrees with the database's again")
        : Effect.annotateLogs(
            Effect.logWarning(
              "The clock differs from the database's by more than a minute: webhooks are signed with the database's time"
            ),
            {
              offset_s: Math.round(difference / 1000),
              database_time: DateTime.formatIso(DateTime.makeUnsafe(Math.round(databaseMillis)))
            }
          )
    }
  }
})

export type DatabaseClock = Effect.Success<typeof makeDatabaseClock>
