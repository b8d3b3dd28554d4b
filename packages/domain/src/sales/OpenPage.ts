/** Opening the page of a business, and the rules that its rides and products share. */
import { DateTime, Effect, Option, Schema } from "effect"
import { ActingBusiness, isSuspended } from "../business/Business.ts"
import { BusinessRepository } from "../business/BusinessRepository.ts"
import { NotFound } from "../kernel/Errors.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import { rfc3339 } from "../kernel/time/WallClock.ts"
import type { VehicleClass } from "../kernel/VehicleClass.ts"
import { isInTime, isOpenAt } from "../settings/BookingPageSettings.ts"
import { type BusinessProfile, VendorSlug } from "../settings/BusinessProfile.ts"
import { BusinessProfileRepository } from "../settings/BusinessProfileRepository.ts"
import { priceLifetime } from "./PriceTokens.ts"

const notFound = new NotFound({ resource: "business" })

/**
 * Makes the function that opens the page of an active business: the business and its profile. `NotFound` for a slug that
 * no active business has.
 */
export const makeOpenPage = Effect.gen(function* () {
  const profiles = yield* BusinessProfileRepository
  const businesses = yield* BusinessRepository

  return Effect.fnUntraced(function* (slug: string) {
    // No other text can be a slug, and PostgreSQL refuses some of them.
    const wanted = Schema.decodeOption(VendorSlug)(slug.toLowerCase())
    if (Option.isNone(wanted)) return yield* notFound
    const profile = Option.getOrUndefined(yield* profiles.findBySlug(wanted.value))
    if (profile === undefined) return yield* notFound
    const business = Option.getOrUndefined(yield* businesses.find(profile.business_id))
    if (business === undefined || isSuspended(business)) return yield* notFound
    return { acting: ActingBusiness.make(business), profile }
  })
})

/**
 * The address for the email that confirms a trip or a booking at once; null if the business must confirm it first.
 */
export const emailOf = (
  { booking_confirmation_required }: BusinessProfile,
  { customer_email }: { readonly customer_email: string | null }
): string | null => (booking_confirmation_required ? null : customer_email)

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

/** Until when a price that is displayed now is honoured, in RFC 3339. */
export const priceValidUntil = Effect.map(DateTime.now, (now) =>
  rfc3339(DateTime.addDuration(now, priceLifetime))
)
