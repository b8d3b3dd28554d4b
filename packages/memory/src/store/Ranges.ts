/** Ranges of time. */
import { DateTime } from "effect"

/** Whether an instant is at `from` or later and before `before`; undefined where the range is open. */
export const isWithin = (
  instant: DateTime.Utc,
  from: DateTime.Utc | undefined,
  before: DateTime.Utc | undefined
): boolean =>
  (from === undefined || DateTime.isGreaterThanOrEqualTo(instant, from)) &&
  (before === undefined || DateTime.isLessThan(instant, before))
