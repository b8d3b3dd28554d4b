/** Times that callers report: a caller's clock may be ahead of the server's. */
import { DateTime } from "effect"

/** The tolerance for a caller's clock that is ahead of the server's. */
export const clockToleranceSeconds = 60

/** Whether `at` is further after `now` than {@link clockToleranceSeconds}. */
export const isInFuture = (at: DateTime.Utc, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(at, DateTime.add(now, { seconds: clockToleranceSeconds }))
