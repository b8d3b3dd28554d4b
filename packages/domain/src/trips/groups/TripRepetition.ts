/** The requests that repeat a trip, and that copy a day (docs/api/trips.md). */
import { Option, Schema } from "effect"
import { check } from "../../kernel/fields/FieldIssue.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { listOf } from "../../kernel/fields/List.ts"
import { omittable, yesOrNo } from "../../kernel/fields/Optional.ts"
import { CalendarDay } from "../../kernel/time/WallClock.ts"
import { TripRecordWithWarnings } from "../trip/TripRecordWithWarnings.ts"
import { recurrenceOf } from "./Recurrence.ts"

/** One request makes at most this many copies. */
export const maxCopies = 150

/** The longest time over which a trip is repeated, in days. */
export const maxRepeatedDays = 366

const Rule = Schema.String.check(
  check<string>("invalid", (text) => text.length <= 200 && Option.isSome(recurrenceOf(text)))
).annotate({
  description:
    "A rule as in calendars (RFC 5545), such as `FREQ=WEEKLY;BYDAY=MO,TH`. Known are `FREQ` (`DAILY`, `WEEKLY`, `MONTHLY`), " +
    "`INTERVAL`, `BYDAY`, `BYMONTHDAY`, `COUNT` (with the trip itself) and `UNTIL` (a day, or a moment in UTC)."
})

/** Whether a trip is repeated on holidays. */
const Holidays = Schema.Literals(["skip", "keep"])

const tripRepetition = Schema.Struct({
  rrule: Rule,
  until: CalendarDay.annotate({ description: "The last day, included, on the clock of the pickup." }),
  except: omittable(
    listOf(CalendarDay, { most: maxRepeatedDays }).annotate({
      description: "Days without a copy, beside holidays."
    })
  ),
  holidays: omittable(
    oneOf(Holidays).annotate({
      description:
        "`skip`: no copy on the `holidays` of the business's settings. `keep`: copies on these days too; the default."
    })
  ),
  force: yesOrNo(false).annotate({ description: "Confirms the clashes of the car." })
}).annotate({
  examples: [
    {
      rrule: "FREQ=WEEKLY;BYDAY=MO,TH",
      until: "2027-01-31",
      except: ["2026-12-24"],
      holidays: "skip",
      force: false
    }
  ]
})
type TripRepetitionStruct = typeof tripRepetition

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface TripRepetitionSchema extends TripRepetitionStruct {}

/** The body that repeats a trip. */
export const TripRepetition: TripRepetitionSchema = tripRepetition
export type TripRepetition = typeof TripRepetition.Type

const repeatedTrip = Schema.Struct({
  group_id: Schema.String,
  trips: Schema.Array(TripRecordWithWarnings),
  skipped_holidays: Schema.Array(Schema.String).annotate({
    description: "The days of the rule that have no copy because they are holidays."
  })
})
type RepeatedTripStruct = typeof repeatedTrip

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface RepeatedTripSchema extends RepeatedTripStruct {}

/** A trip that was repeated: its group, and the copies. */
export const RepeatedTrip: RepeatedTripSchema = repeatedTrip
export type RepeatedTrip = typeof RepeatedTrip.Type

/** The body that copies the trips of a day to another day. */
export const DayCopy = Schema.Struct({
  from: CalendarDay.annotate({ description: "The day whose trips are copied, on the business's clock." }),
  to: CalendarDay.annotate({ description: "The day of the copies, at the same times of day." }),
  force: yesOrNo(false).annotate({ description: "Confirms the clashes of cars." })
})
export type DayCopy = typeof DayCopy.Type
