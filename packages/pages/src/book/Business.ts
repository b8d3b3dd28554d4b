/** The records of the booking page's API (`/public/businesses/{slug}`). */
import type { Brand } from "../shell/Brand.ts"

/** The class of a car. */
export type VehicleClass = "sedan" | "suv" | "van" | "minibus" | "bus" | "limousine" | "other"

/** Days from the first to the last; `MM-DD` means every year. */
export interface Days {
  readonly from: string
  readonly to: string | null
}

/** When the business takes bookings, on its own clock. */
export interface BookingTimes {
  readonly lead_minutes: number
  readonly class_leads: ReadonlyArray<{ readonly vehicle_class: VehicleClass; readonly minutes: number }>
  readonly opening_hours: ReadonlyArray<{
    readonly from: string | null
    readonly to: string | null
    readonly weekdays: ReadonlyArray<string>
    readonly dates: ReadonlyArray<Days>
  }>
  readonly blackout_dates: ReadonlyArray<Days>
  readonly manual_pricing_hours: number
}

/** A product that visitors may book. */
export interface Product {
  readonly product_id: number
  readonly name: string
  readonly description: string | null
  readonly kind: "transfer" | "tour" | "hourly" | "other"
  readonly price: number
  readonly currency: string
  readonly duration_minutes: number
  /** The schedule of a tour; empty if it starts at any time. */
  readonly departures: ReadonlyArray<object>
  readonly pickup_address: string | null
  readonly dropoff_address: string | null
  readonly price_token: string
  readonly price_valid_until: string
}

/** A departure of a tour. `starts_local` is on the clock of the business. */
export interface Departure {
  readonly starts_at: string
  readonly starts_local: string
  readonly ends_at: string
  readonly places_left: number
}

/** The record of `GET /public/businesses/{slug}`. */
export interface Business extends Brand {
  readonly vendor_slug: string
  readonly timezone: string
  readonly currency: string
  readonly booking_page: BookingTimes
  /** Whether addresses can be looked up; otherwise only the zones of the tariff. */
  readonly finds_places: boolean
  readonly products: ReadonlyArray<Product>
}

/** The price of a ride in a class, honoured for 15 minutes. */
interface Fare {
  readonly vehicle_class: VehicleClass
  readonly total_amount: number
  readonly price_token: string
  readonly price_valid_until: string
}

/** A record of `GET /public/businesses/{slug}/places`: a zone of the tariff or an address. */
export interface FoundPlace {
  readonly name: string
  readonly airport: string | null
  readonly postal_code: string | null
  readonly lat: number | null
  readonly lng: number | null
}

/** The record of `POST /public/businesses/{slug}/estimate`. */
export interface Estimate {
  readonly currency: string
  readonly fares: ReadonlyArray<Fare>
  readonly unavailable: ReadonlyArray<{ readonly vehicle_class: VehicleClass; readonly reason: string }>
}

/** The price of both ways in a class, or of the only one: `parts` has the price of each way. */
export interface Price {
  readonly vehicle_class: VehicleClass
  readonly total_amount: number
  readonly parts: ReadonlyArray<Fare>
}

/** The prices of both ways, or of the only one. */
export interface Prices extends Omit<Estimate, "fares"> {
  readonly fares: ReadonlyArray<Price>
}

/** What a booking or a request answers: the fields of a trip, of a booking of a product, or of a requested quote. */
export interface Answer {
  readonly reference: string
  readonly requested?: true
  readonly status?: string
  readonly vehicle_class?: VehicleClass | null
  readonly trip_date?: string
  readonly starts_at?: string
  readonly ends_at?: string
  readonly total_amount?: number | null
  readonly currency?: string
  readonly expires_at?: string | null
  readonly tracking_token?: string
  /** The hash of the invoice that is paid at once. */
  readonly payment_hash?: string | null
}
