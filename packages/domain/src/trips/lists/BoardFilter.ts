/** The filters of the dispatch board. */
import { Schema } from "effect"
import { CalendarDay, Timestamp } from "../../kernel/time/WallClock.ts"
import { tripCriteriaFields } from "./TripCriteria.ts"
import { TripStatus } from "../trip/TripStatus.ts"

/**
 * The filters of the board besides {@link tripCriteriaFields}. `date` is a day on the business's clock; default: today.
 * `from` and `to` are two instants that replace the day, for a board that moves with the time.
 */
export const BoardFilter = Schema.Struct({
  date: Schema.optionalKey(CalendarDay),
  from: Schema.optionalKey(
    Timestamp.annotate({ description: "The start of the board, included; with `to`, in place of `date`." })
  ),
  to: Schema.optionalKey(Timestamp.annotate({ description: "The end of the board, not included." })),
  status: Schema.optionalKey(TripStatus),
  ...tripCriteriaFields
})
export type BoardFilter = typeof BoardFilter.Type
