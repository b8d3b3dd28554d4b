/** When a business takes bookings over its public page (docs/api/sales.md). All times are on the business's clock. */
import { DateTime, Duration, Schema, SchemaTransformation } from "effect"
import { compileWhen, localTime, LocalWindow, windowIssues } from "../fares/rules/When.ts"
import { Count, listOf, Minutes, orDefault } from "../fares/rules/TariffFields.ts"
import { between, check } from "../kernel/fields/FieldIssue.ts"
import { oneOf } from "../kernel/fields/OneOf.ts"
import { DateRange, OrderedDateRange } from "../kernel/time/DateRange.ts"
import { wallClock } from "../kernel/time/WallClock.ts"
import { VehicleClass } from "../kernel/VehicleClass.ts"

const isSound = check<LocalWindow>("invalid", (window) => windowIssues(window).length === 0)

/**
 * An origin whose pages may show the booking page in a frame: `https://` and a host, perhaps with a port. Plain `http` is for
 * trying it on one's own machine. Nothing else may be in it, because it becomes a part of the page's security policy.
 */
const originPattern =
  "^(?:https://[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|http://(?:localhost|127\\.0\\.0\\.1))(?::[0-9]{1,5})?$"

const Origin = Schema.String.check(
  check<string>("too_long", (origin) => origin.length <= 300, { maxLength: 300 }),
  check<string>("invalid", (origin) => new RegExp(originPattern, "u").test(origin), {
    pattern: originPattern
  })
)

const ClassLead = Schema.Struct({ vehicle_class: oneOf(VehicleClass), minutes: Minutes })

const bookingPageSettingsStruct = Schema.Struct({
  lead_minutes: orDefault(Minutes, 0),
  class_leads: listOf(ClassLead, 20),
  opening_hours: listOf(LocalWindow.check(isSound), 50),
  blackout_dates: listOf(DateRange, 366),
  manual_pricing_hours: orDefault(Count.check(between(0, 744)), 0),
  embed_origins: listOf(Origin, 20),
  asks_payment: orDefault(Schema.Boolean, false)
})
type BookingPageSettingsStruct = typeof bookingPageSettingsStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface BookingPageSettingsSchema extends BookingPageSettingsStruct {}

/**
 * The settings of a business's booking page.
 *
 * - `lead_minutes`: how long before the pickup a booking must be made; `class_leads` has other times for classes.
 * - `opening_hours`: the windows that pickups may be in; always if there are none.
 * - `blackout_dates`: the days without pickups.
 * - `manual_pricing_hours`: pickups within so many hours are priced by the business, not by its tariff.
 * - `embed_origins`: the sites that may show the page in a frame; none by default.
 * - `asks_payment`: whether the confirmation of a booking has a link to pay it at once.
 */
export const BookingPageSettings: BookingPageSettingsSchema = bookingPageSettingsStruct
export type BookingPageSettings = typeof BookingPageSettings.Type

/**
 * The settings in a request. The days of a black-out range must be in order; settings that were stored before this was
 * checked can still be read.
 */
export const BookingPageSettingsInput: BookingPageSettingsSchema = Schema.Struct({
  ...bookingPageSettingsStruct.fields,
  blackout_dates: listOf(OrderedDateRange, 366)
})

/** The settings of a new business: pickups at any time, priced by the tariff. */
export const defaultBookingPage: BookingPageSettings = {
  lead_minutes: 0,
  class_leads: [],
  opening_hours: [],
  blackout_dates: [],
  manual_pricing_hours: 0,
  embed_origins: [],
  asks_payment: false
}

const earlierStruct = Schema.Struct({
  ...bookingPageSettingsStruct.fields,
  embed_origins: Schema.optionalKey(Schema.Array(Schema.String)),
  asks_payment: Schema.optionalKey(Schema.Boolean)
})

/** The settings as stored. Those that were stored by an earlier version lack the latest fields. */
export const StoredBookingPageSettings: Schema.Codec<BookingPageSettings, typeof earlierStruct.Type> =
  Schema.toType(earlierStruct).pipe(
    Schema.decodeTo(
      Schema.toType(BookingPageSettings),
      SchemaTransformation.transform<BookingPageSettings, typeof earlierStruct.Type>({
        decode: (stored) => ({ ...defaultBookingPage, ...stored }),
        encode: (settings) => settings
      })
    )
  )

/**
 * The minutes before the pickup by which a booking of that class must be made; `null` means a booking without a class.
 */
export const leadMinutes = (
  { class_leads, lead_minutes }: BookingPageSettings,
  vehicleClass: VehicleClass | null
): number => class_leads.find(({ vehicle_class }) => vehicle_class === vehicleClass)?.minutes ?? lead_minutes

const isWithin = (now: DateTime.Utc, time: Duration.Input, at: DateTime.Utc) =>
  at.epochMilliseconds < DateTime.addDuration(now, time).epochMilliseconds

/** Whether a pickup at `at` may still be booked at `now`. */
export const isInTime = (
  settings: BookingPageSettings,
  vehicleClass: VehicleClass | null,
  { at, now }: { readonly at: DateTime.Utc; readonly now: DateTime.Utc }
): boolean =>
  at.epochMilliseconds > now.epochMilliseconds &&
  !isWithin(now, Duration.minutes(leadMinutes(settings, vehicleClass)), at)

/** Whether the business prices a pickup at `at` itself. */
export const isPricedManually = (
  { manual_pricing_hours }: BookingPageSettings,
  { at, now }: { readonly at: DateTime.Utc; readonly now: DateTime.Utc }
): boolean => isWithin(now, Duration.hours(manual_pricing_hours), at)

/** Whether the business is open at `at`: within its opening hours, and not on a black-out date. */
export const isOpenAt = (
  { blackout_dates, opening_hours }: BookingPageSettings,
  at: DateTime.Utc,
  timezone: string
): boolean => {
  const local = localTime(wallClock(at, timezone))
  const isOpen = compileWhen(opening_hours)?.(local) ?? true
  const closed =
    blackout_dates.length === 0
      ? null
      : compileWhen([{ from: null, to: null, weekdays: [], dates: blackout_dates }])
  return isOpen && closed?.(local) !== true
}
