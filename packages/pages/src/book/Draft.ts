/** What a visitor has typed, as texts, and the requests that are made of it. */
import type { Product, VehicleClass } from "./Business.ts"

/** The kinds of child seats that the page offers. */
export const seatTypes = ["infant", "child", "booster"] as const

/** The form. `pickup_code` and `dropoff_code` have a postal code, an airport or coordinates, from which the price is found. */
export const emptyDraft = {
  product: "",
  hourly: false,
  hours: "3",
  pickup: "",
  pickup_code: "",
  dropoff: "",
  dropoff_code: "",
  date: "",
  time: "",
  passengers: "1",
  luggage: "0",
  infant: "0",
  child: "0",
  booster: "0",
  flight: "",
  vehicle_class: "",
  name: "",
  email: "",
  phone: "",
  sign: "",
  notes: ""
}

export type Draft = typeof emptyDraft

/** The fields that decide a price. */
export const pricedBy: ReadonlySet<string> = new Set<keyof Draft>([
  "product",
  "hourly",
  "hours",
  "pickup",
  "pickup_code",
  "dropoff",
  "dropoff_code",
  "date",
  "time",
  "passengers",
  "luggage",
  ...seatTypes
])

const textOrNull = (text: string) => (text.trim() === "" ? null : text)

/** A number as it was typed; the server says what is wrong with it. */
const numberOf = (text: string) => (text.trim() === "" ? null : Number(text))

/** The start on the clock of the business; empty if a part of it is missing. */
export const startOf = ({ date, time }: Draft): string =>
  date === "" || time === "" ? "" : `${date}T${time}`

const point = /^\s*(?<lat>-?\d+\.\d+)\s*,\s*(?<lng>-?\d+\.\d+)\s*$/u
const airport = /^\s*[a-z]{3}\s*$/iu

/** Whether a code is that of an airport. */
const isAirport = (code: string) => airport.test(code)

/** The fields of a place: its coordinates, its airport or its postal code. */
const placeOf = (side: "pickup" | "dropoff", code: string) => {
  const found = point.exec(code)?.groups
  if (found !== undefined)
    return { [`${side}_lat`]: Number(found["lat"]), [`${side}_lng`]: Number(found["lng"]) }
  if (isAirport(code)) return { [`${side}_airport`]: code.trim().toUpperCase() }
  return { [`${side}_postal_code`]: textOrNull(code) }
}

const typeOf = ({ pickup_code, hourly, dropoff_code }: Draft) => {
  if (hourly) return "hourly"
  if (isAirport(pickup_code)) return "airport_arrival"
  return isAirport(dropoff_code) ? "airport_departure" : "transfer"
}

/** The body of an estimate. */
export const rideOf = (draft: Draft): Readonly<Record<string, unknown>> => ({
  trip_date: startOf(draft),
  trip_type: typeOf(draft),
  ...(draft.hourly ? { duration_minutes: Math.round((numberOf(draft.hours) ?? 0) * 60) } : {}),
  ...placeOf("pickup", draft.pickup_code),
  ...placeOf("dropoff", draft.dropoff_code),
  participants_count: numberOf(draft.passengers),
  luggage_count: numberOf(draft.luggage),
  child_seats: seatTypes
    .map((type) => ({ type, count: numberOf(draft[type]) }))
    .filter(({ count }) => count !== null && count !== 0)
})

const contactOf = (draft: Draft) => ({
  customer_name: draft.name,
  customer_email: textOrNull(draft.email),
  customer_phone: textOrNull(draft.phone),
  notes: textOrNull(draft.notes)
})

/** What a trip has and an estimate has not. */
const detailsOf = (draft: Draft) => ({
  pickup_address: draft.pickup,
  dropoff_address: draft.dropoff,
  flight_number: textOrNull(draft.flight),
  pickup_sign: textOrNull(draft.sign),
  ...contactOf(draft)
})

/** The body that books a ride at its price. */
export const tripOf = (draft: Draft, price_token: string): object => ({ price_token, ...detailsOf(draft) })

/** The body that asks for an offer. The airports are in the addresses. */
export const quoteOf = (draft: Draft, vehicle_class: VehicleClass | null): object => {
  const { dropoff_airport: _to, pickup_airport: _from, ...ride } = rideOf(draft)
  return { ...ride, ...detailsOf(draft), vehicle_class }
}

/** Whether a visitor says where a product begins or ends: it drives, and has no place of its own there. */
export const asksFor = (side: "pickup" | "dropoff", product: Product): boolean =>
  product.kind !== "other" && product[`${side}_address`] === null

/** The body that books places of a product. */
export const bookingOf = (draft: Draft, product: Product): object => ({
  product_id: product.product_id,
  price_token: product.price_token,
  starts_at: startOf(draft),
  participants_count: numberOf(draft.passengers),
  pickup_address: asksFor("pickup", product) ? textOrNull(draft.pickup) : null,
  dropoff_address: asksFor("dropoff", product) ? textOrNull(draft.dropoff) : null,
  ...contactOf(draft)
})
