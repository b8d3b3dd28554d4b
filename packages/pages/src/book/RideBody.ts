/** The ride that a form describes, as the API takes it. Its code is loaded with the first request. */
import type { Product } from "./Business.ts"
import { type Draft, seatTypes, startOf } from "./Draft.ts"

/** A text, or null for a blank one. */
export const textOrNull = (text: string) => (text.trim() === "" ? null : text)

/** A number as it was typed; the server says what is wrong with it. */
export const numberOf = (text: string) => (text.trim() === "" ? null : Number(text))

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

/** Whether a visitor says where a product begins or ends: it drives, and has no place of its own there. */
export const asksFor = (side: "pickup" | "dropoff", product: Product): boolean =>
  product.kind !== "other" && product[`${side}_address`] === null
