/** A secret link to an iCalendar feed (docs/api/calendars.md). */
import { DateTime, Schema } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import * as Field from "../kernel/fields/Field.ts"
import { tripFields } from "../trips/trip/Trip.ts"

/** Of whom a feed is: all trips for a member of the office, a driver's jobs, or a customer's trips and bookings. */
export const CalendarKind = Schema.Literals(["office", "driver", "customer"])
export type CalendarKind = typeof CalendarKind.Type

/** The owner of a feed. `id` is the user's, the driver's or the customer's. */
export interface CalendarOwner {
  readonly kind: CalendarKind
  readonly id: number
}

/** A link as stored, with the business that its feed shows. */
export interface CalendarLink {
  readonly owner: CalendarOwner
  readonly business: ActingBusiness
}

/** A new link; its token is not returned again. Calendars subscribe to `url`. */
export const CalendarLinkRecord = Schema.Struct({ token: Schema.String, url: Schema.String })
export type CalendarLinkRecord = typeof CalendarLinkRecord.Type

/** The texts of a trip that a feed may show: drivers read all of them, so that no feed has a price or an internal note. */
const shownTexts = Field.storedOf(
  Field.pick(Field.seenBy(tripFields, "drivers"), [
    "reference",
    "customer_name",
    "customer_phone",
    "flight_number",
    "terminal",
    "participants_count",
    "notes",
    "special_requirements"
  ])
)

/**
 * A trip, or a booking of a customer, in a feed. `title` is the booking's product, null for a trip; a booking may lack the
 * addresses. `drivers` are the names of the trip's drivers, in the office's feed only. `changed_at` is when the event last
 * changed.
 */
export const CalendarEntry = Schema.Struct({
  ...shownTexts.fields,
  state: Schema.Literals(["tentative", "confirmed", "cancelled"]),
  title: Schema.NullOr(Schema.String),
  customer_name: Schema.NullOr(Schema.String),
  pickup_address: Schema.NullOr(Schema.String),
  dropoff_address: Schema.NullOr(Schema.String),
  drivers: Schema.Array(Schema.String),
  starts_at: tripFields.trip_date.stored,
  ends_at: tripFields.trip_date.stored,
  changed_at: tripFields.trip_date.stored
})
export type CalendarEntry = typeof CalendarEntry.Type

/** What a feed contains: events that start from `from` up to `until`, cancelled ones if they were cancelled since then. */
export interface CalendarPeriod {
  readonly now: DateTime.Utc
  readonly from: DateTime.Utc
  readonly until: DateTime.Utc
  readonly cancelledSince: DateTime.Utc
  /** The most events that start at `now` or later, the earliest ones, and the most earlier events, the latest ones. */
  readonly maxUpcoming: number
  readonly maxPast: number
}

/** The period of a feed that is read at `now`. */
export const calendarPeriod = (now: DateTime.Utc): CalendarPeriod => ({
  now,
  from: DateTime.subtract(now, { days: 30 }),
  until: DateTime.add(now, { days: 180 }),
  cancelledSince: DateTime.subtract(now, { days: 7 }),
  maxUpcoming: 2000,
  maxPast: 500
})
