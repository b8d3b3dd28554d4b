/**
 * Opening the page of a business, and the rules that its rides and products share. A ride or a booking is confirmed at
 * once, unless the settings of the business require a confirmation.
 */
import { DateTime, Effect, Option, Schema } from "effect"
import { ActingBusiness, isSuspended } from "../../business/Business.ts"
import { BusinessRepository } from "../../business/BusinessRepository.ts"
import { NotFound } from "../../kernel/Errors.ts"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import { MajorAmount } from "../../kernel/money/Money.ts"
import { rfc3339 } from "../../kernel/time/WallClock.ts"
import type { VehicleClass } from "../../kernel/VehicleClass.ts"
import { isInTime, isOpenAt, isPricedManually } from "../../settings/BookingPageSettings.ts"
import { type BusinessProfile, VendorSlug } from "../../settings/BusinessProfile.ts"
import { BusinessProfileRepository } from "../../settings/BusinessProfileRepository.ts"
import type { NotBookableReason } from "./BookingPage.ts"
import { priceLifetime } from "./PriceTokens.ts"

const notFound = new NotFound({ resource: "business" })

/** The slug in the address of a page. No other text can be a slug, and PostgreSQL refuses some of them. */
export const slugOf = (text: string) => Schema.decodeOption(VendorSlug)(text.toLowerCase())

/**
 * Makes the function that opens the page of an active business: the business and its profile. `NotFound` for a slug that
 * no active business has.
 */
export const makeOpenPage = Effect.gen(function* () {
  const profiles = yield* BusinessProfileRepository
  const businesses = yield* BusinessRepository

  return Effect.fnUntraced(function* (slug: string) {
    const wanted = slugOf(slug)
    if (Option.isNone(wanted)) return yield* notFound
    const profile = Option.getOrUndefined(yield* profiles.findBySlug(wanted.value))
    if (profile === undefined) return yield* notFound
    const business = Option.getOrUndefined(yield* businesses.find(profile.business_id))
    if (business === undefined || isSuspended(business)) return yield* notFound
    return { acting: ActingBusiness.make(business), profile }
  })
})

/** An issue if the business takes no bookings for the time `at`. `now` is when the price was displayed. */
export const timeIssues = (
  { booking_page, timezone }: BusinessProfile,
  field: string,
  vehicleClass: VehicleClass | null,
  times: { readonly at: DateTime.Utc; readonly now: DateTime.Utc }
): ReadonlyArray<FieldIssue> =>
  isInTime(booking_page, vehicleClass, times) && isOpenAt(booking_page, times.at, timezone)
    ? []
    : [{ field, issue: "out_of_range" }]

/**
 * Why a visitor cannot book a ride in a class that has a fare; undefined if they can. `times` are those of the ride and of
 * the display of its price.
 */
export const notBookableReason = (
  { booking_page }: BusinessProfile,
  { total_amount, vehicle_class }: { readonly total_amount: number; readonly vehicle_class: VehicleClass },
  times: { readonly at: DateTime.Utc; readonly now: DateTime.Utc }
): NotBookableReason | undefined => {
  if (!isInTime(booking_page, vehicle_class, times)) return "too_late"
  if (isPricedManually(booking_page, times)) return "on_request"
  // A fare in a currency without decimals may exceed the largest amount of a trip.
  return Schema.is(MajorAmount)(total_amount) ? undefined : "amount_too_large"
}

/** Until when a price that is displayed now is honoured, in RFC 3339. */
export const priceValidUntil = Effect.map(DateTime.now, (now) =>
  rfc3339(DateTime.addDuration(now, priceLifetime))
)
