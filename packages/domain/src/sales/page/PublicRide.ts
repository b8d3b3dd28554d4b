/** The trip of a ride that a visitor books, and its record for the visitor. */
import { Redacted } from "effect"
import type { FareRequest } from "../../fares/estimates/FareRequest.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import { TripInput } from "../../trips/trip/TripInput.ts"
import type { TripRecordWithWarnings } from "../../trips/trip/TripRecordWithWarnings.ts"
import type { PublicTripInput, PublicTripRecord } from "./BookingPage.ts"
import type { RideOffer } from "./PriceTokens.ts"

/** The stops of the trip. The stops of a ride have no addresses, so their coordinates become the addresses. */
const stopsOf = ({ stops }: FareRequest): TripInput["stops"] =>
  stops.map(({ lat, lng, minutes }, index) => ({
    address: lat === null || lng === null ? `Stop ${index + 1}` : `${lat}, ${lng}`,
    lat,
    lng,
    contact: null,
    minutes
  }))

/** The input of the trip of a displayed price, with the contact data and the addresses that the visitor gave. */
export const tripInputOf = (
  given: Omit<PublicTripInput, "price_token" | "trip_date">,
  { ride, total_amount, vehicle_class }: RideOffer,
  currency: Currency
): TripInput =>
  TripInput.make({
    ...given,
    ...ride,
    child_seats: ride.child_seats.filter(({ count }) => count > 0),
    stops: stopsOf(ride),
    vehicle_class,
    total_amount,
    // The visitor pays the price that the page showed, with its taxes.
    tax_included: true,
    currency
  })

/** The booked ride, for the customer. */
export const publicTripRecord = (
  booked: TripRecordWithWarnings,
  currency: Currency,
  trackingToken: Redacted.Redacted
): Omit<PublicTripRecord, "payment_hash"> => ({
  reference: booked.reference,
  status: booked.status,
  trip_date: booked.trip_date,
  pickup_at: booked.pickup_at,
  pickup_address: booked.pickup_address,
  dropoff_address: booked.dropoff_address,
  vehicle_class: booked.vehicle_class,
  total_amount: booked.total_amount,
  currency,
  tracking_token: Redacted.value(trackingToken)
})
