/** Rows of `trips` as answers and events show them, and their JSON. */
import fastJson from "fast-json-stringify"
import { tripSchema } from "./answers.js"

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

const toMajor = (minor, currency) =>
  minor === null || minor === undefined ? null : minor / 10 ** (decimals[currency] ?? 2)

const rfc3339 = (date) => `${date.toISOString().slice(0, 19)}Z`
const orNull = (date) => (date ? rfc3339(date) : null)

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

const milestone = (reached) => ({ ...reached, at: rfc3339(new Date(reached.at)) })

const driver = (assigned) => ({ ...assigned, milestones: assigned.milestones.map(milestone) })

const isEmpty = (value) =>
  value === null || value === undefined || (typeof value === "object" && Object.keys(value).length === 0)

/** The column `details` of these fields, which few trips have: without empty ones, and null if all of them are. */
export const detailsOf = (fields) => {
  const named = Object.entries(fields).filter(([, value]) => !isEmpty(value))
  return named.length === 0 ? null : Object.fromEntries(named)
}

/** The record of a row of `trips` with its `drivers`. The schema leaves out what is not in a record. */
export const tripRecord = (row, timeZone) => {
  const { currency, details, drivers, trip_date } = row
  const zone = details?.pickup_timezone ?? timeZone
  return {
    ...row,
    ...details,
    allowed_transitions: nextStatuses[row.status],
    trip_date: rfc3339(trip_date),
    pickup_at: wallClock(trip_date, timeZone),
    driver_ids: drivers.map(({ driver_id }) => driver_id),
    drivers: drivers.map(driver),
    total_amount: toMajor(row.total_minor, currency),
    tolls_amount: toMajor(details?.tolls_minor, currency),
    pickup_timezone: zone,
    pickup_local: wallClock(trip_date, zone),
    cancellation_fee: toMajor(row.cancellation_fee_minor, currency),
    cancelled_at: orNull(row.cancelled_at),
    completed_at: orNull(row.completed_at),
    created_at: rfc3339(row.created_at),
    updated_at: rfc3339(row.updated_at)
  }
}

/** The JSON text of a record of a trip. */
export const stringifyTrip = fastJson(tripSchema)

/** The record of a row whose only instants are those of its storage. */
export const plainRecord = (row) => ({
  ...row,
  created_at: rfc3339(row.created_at),
  updated_at: rfc3339(row.updated_at)
})
