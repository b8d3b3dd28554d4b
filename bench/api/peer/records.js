/** Rows of `trips` as answers and events show them, and their JSON. */
import fastJson from "fast-json-stringify"
import { tripSchema } from "./schemas.js"

const nextStatuses = {
  pending: ["confirmed", "cancelled"],
  confirmed: ["completed", "cancelled"],
  in_progress: ["completed", "cancelled"],
  completed: [],
  cancelled: []
}

/** Decimals of the currencies that have other than two. */
const decimals = { JPY: 0, KRW: 0, ISK: 0, VND: 0, KWD: 3, BHD: 3, OMR: 3, TND: 3 }

/** Minor units of an amount of `currency`; undefined if it has more decimals than the currency. */
export const toMinor = (amount, currency) => {
  const [, whole, fraction = ""] = /^(\d+)(?:\.(\d+))?$/u.exec(String(amount)) ?? []
  const places = decimals[currency] ?? 2
  return whole === undefined || fraction.length > places
    ? undefined
    : Number(whole + fraction.padEnd(places, "0"))
}

const toMajor = (minor, currency) => (minor === null ? null : minor / 10 ** (decimals[currency] ?? 2))

const rfc3339 = (date) => `${date.toISOString().slice(0, 19)}Z`
const orNull = (date) => (date === null ? null : rfc3339(date))

const formats = new Map()

/** What is added to UTC for the clock of `timeZone`, in milliseconds. */
const offsetOf = (timeZone, millis) => {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" })
    formats.set(timeZone, format)
  }
  const [, sign, hours, minutes = "0"] = /GMT(?:([+-])(\d\d):(\d\d))?$/u.exec(format.format(millis)) ?? []
  if (sign === undefined) return 0
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

const quarterHour = 900_000
const offsets = new Map()

/** `offsetOf`, remembered: clocks change on a quarter of an hour. */
const knownOffset = (timeZone, millis) => {
  const key = `${timeZone} ${Math.floor(millis / quarterHour)}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  if (offsets.size >= 10_000) offsets.clear()
  const offset = offsetOf(timeZone, millis)
  offsets.set(key, offset)
  return offset
}

const wallClock = (date, timeZone) =>
  new Date(date.getTime() + knownOffset(timeZone, date.getTime()))
    .toISOString()
    .slice(0, 19)
    .replace("T", " ")

/** The instant of a timestamp, to the second; one without an offset is local time in `timeZone`. */
export const instantOf = (timestamp, timeZone) => {
  const text = timestamp.trim().toUpperCase().replace(" ", "T")
  const hasOffset = /(?:Z|[+-]\d{2}:?\d{2})$/u.test(text.slice(10))
  const millis = Date.parse(hasOffset ? text : `${text}Z`)
  const instant = hasOffset ? millis : millis - offsetOf(timeZone, millis - offsetOf(timeZone, millis))
  return new Date(Math.floor(instant / 1000) * 1000)
}

const milestone = ({ at, lat, lng, milestone }) => ({ milestone, at: rfc3339(new Date(at)), lat, lng })

const driver = ({ car_id, driver_id, milestones, name, status }) => ({
  driver_id,
  name,
  status,
  car_id,
  milestones: milestones.map(milestone)
})

/** The fields that few trips have. They are stored together, without empty ones. */
const noDetails = {
  po_number: null,
  cost_center: null,
  metadata: {},
  internal_notes: null,
  vehicle_class: null,
  luggage_count: null,
  child_seats: [],
  pickup_sign: null,
  stops: [],
  passengers: [],
  booker_name: null,
  booker_email: null,
  booker_phone: null,
  leg: null,
  distance_m: null,
  arrival: null,
  pickup_airport: null,
  dropoff_airport: null,
  meet_and_greet: null,
  waiting_minutes: null,
  tolls_minor: null,
  pickup_timezone: null
}
const detailNames = Object.keys(noDetails)

const isEmpty = (value) => value === null || (typeof value === "object" && Object.keys(value).length === 0)

/** The column `details` for the fields of a trip: null if all of them are empty. */
export const detailsOf = (trip) => {
  const names = detailNames.filter((name) => trip[name] !== undefined && !isEmpty(trip[name]))
  return names.length === 0 ? null : Object.fromEntries(names.map((name) => [name, trip[name]]))
}

/** The record of a row of `trips` with its `drivers`. */
export const tripRecord = (row, timeZone, details = row.details ?? noDetails) => ({
  trip_id: row.trip_id,
  reference: row.reference,
  status: row.status,
  driver_status: row.driver_status,
  payment_status: row.payment_status,
  allowed_transitions: nextStatuses[row.status],
  trip_type: row.trip_type,
  trip_date: rfc3339(row.trip_date),
  pickup_at: wallClock(row.trip_date, timeZone),
  duration_minutes: row.duration_minutes,
  pickup_address: row.pickup_address,
  pickup_postal_code: row.pickup_postal_code,
  pickup_lat: row.pickup_lat,
  pickup_lng: row.pickup_lng,
  dropoff_address: row.dropoff_address,
  dropoff_postal_code: row.dropoff_postal_code,
  dropoff_lat: row.dropoff_lat,
  dropoff_lng: row.dropoff_lng,
  customer_id: row.customer_id,
  customer_name: row.customer_name,
  customer_email: row.customer_email,
  customer_phone: row.customer_phone,
  car_id: row.car_id,
  driver_ids: row.drivers.map(({ driver_id }) => driver_id),
  drivers: row.drivers.map(driver),
  total_amount: toMajor(row.total_minor, row.currency),
  currency: row.currency,
  flight_number: row.flight_number,
  terminal: row.terminal,
  participants_count: row.participants_count,
  notes: row.notes,
  special_requirements: row.special_requirements,
  external_ref: row.external_ref,
  po_number: details.po_number ?? null,
  cost_center: details.cost_center ?? null,
  metadata: details.metadata ?? {},
  internal_notes: details.internal_notes ?? null,
  vehicle_class: details.vehicle_class ?? null,
  luggage_count: details.luggage_count ?? null,
  child_seats: details.child_seats ?? [],
  pickup_sign: details.pickup_sign ?? null,
  stops: details.stops ?? [],
  passengers: details.passengers ?? [],
  booker_name: details.booker_name ?? null,
  booker_email: details.booker_email ?? null,
  booker_phone: details.booker_phone ?? null,
  group_id: row.group_id,
  linked_trip_id: row.linked_trip_id,
  leg: details.leg ?? null,
  distance_m: details.distance_m ?? null,
  arrival: details.arrival ?? null,
  pickup_airport: details.pickup_airport ?? null,
  dropoff_airport: details.dropoff_airport ?? null,
  meet_and_greet: details.meet_and_greet ?? null,
  waiting_minutes: details.waiting_minutes ?? null,
  tolls_amount: toMajor(details.tolls_minor ?? null, row.currency),
  pickup_timezone: details.pickup_timezone ?? timeZone,
  pickup_local: wallClock(row.trip_date, details.pickup_timezone ?? timeZone),
  cancel_reason: row.cancel_reason,
  cancelled_by: row.cancelled_by,
  cancellation_fee: toMajor(row.cancellation_fee_minor, row.currency),
  cancelled_at: orNull(row.cancelled_at),
  completed_at: orNull(row.completed_at),
  created_at: rfc3339(row.created_at),
  updated_at: rfc3339(row.updated_at)
})

/** The JSON text of a record of a trip. */
export const stringifyTrip = fastJson(tripSchema)

/** The record of a row of `customers`. */
export const customerRecord = (row) => ({
  customer_id: row.customer_id,
  name: row.name,
  email: row.email,
  phone: row.phone,
  company: row.company,
  address: row.address,
  country: row.country,
  vat_number: row.vat_number,
  notes: row.notes,
  created_at: rfc3339(row.created_at),
  updated_at: rfc3339(row.updated_at)
})

/** The record of a row of `drivers`. */
export const driverRecord = (row) => ({
  driver_id: row.driver_id,
  name: row.name,
  email: row.email,
  phone: row.phone,
  license_number: row.license_number,
  license_expires_on: row.license_expires_on,
  default_car_id: row.default_car_id,
  photo_url: row.photo_url,
  active: row.active,
  user_id: row.user_id,
  created_at: rfc3339(row.created_at),
  updated_at: rfc3339(row.updated_at)
})
