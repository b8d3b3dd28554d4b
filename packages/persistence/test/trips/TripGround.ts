/** Trips to store. */
import { type BusinessId, type Currency, type NewTrip, TripRepository } from "@livery/domain"
import { Effect, Option } from "effect"
import { at, unique } from "../support/TestPersistence.ts"

export const now = at("09:30:00")

export const tripOf = (business_id: BusinessId, change: Partial<NewTrip> = {}): NewTrip => ({
  business_id,
  reference: unique("TR"),
  status: "confirmed",
  payment_status: "unpaid",
  trip_type: "transfer",
  trip_date: at("18:00:00"),
  duration_minutes: null,
  pickup_address: "Here",
  pickup_postal_code: null,
  pickup_lat: null,
  pickup_lng: null,
  dropoff_address: "There",
  dropoff_postal_code: null,
  dropoff_lat: null,
  dropoff_lng: null,
  customer_id: null,
  customer_name: "Ada",
  customer_email: null,
  customer_phone: null,
  car_id: null,
  total_minor: null,
  currency: "USD" as Currency,
  flight_number: null,
  terminal: null,
  participants_count: null,
  notes: null,
  special_requirements: null,
  ...change
})

export const insert = Effect.fnUntraced(function* (business: BusinessId, change: Partial<NewTrip> = {}) {
  const trips = yield* TripRepository
  return Option.getOrThrow(yield* trips.insert(tripOf(business, change), now)).trip
})
