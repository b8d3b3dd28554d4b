/** How the pickups of a business follow flights (docs/api/flights.md). */
import { Schema } from "effect"
import { between, check } from "../kernel/fields/FieldIssue.ts"

const Minutes = (most: number, least = 0) => Schema.Int.check(between(least, most))

/** The most minutes that a flight may move a pickup later. */
export const mostLaterMinutes = 1440

const fields = {
  enabled: Schema.Boolean,
  max_earlier_minutes: Minutes(240),
  max_later_minutes: Minutes(mostLaterMinutes),
  buffer_minutes: Minutes(240),
  check_minutes: Minutes(60, 1)
}

/**
 * The settings.
 *
 * - `enabled`: whether flights are looked up and move pickups.
 * - `max_earlier_minutes`, `max_later_minutes`: how far a flight may move a pickup from the booked time.
 * - `buffer_minutes`: the least time between the landing and the pickup.
 * - `check_minutes`: how often the status of a flight is asked for, at most.
 */
export const FlightSettings = Schema.Struct(fields)
export type FlightSettings = typeof FlightSettings.Type

/** The settings of a business that set none. */
export const defaultFlightSettings: FlightSettings = {
  enabled: false,
  max_earlier_minutes: 30,
  max_later_minutes: 240,
  buffer_minutes: 0,
  check_minutes: 5
}

/** A change of the settings. */
export const FlightSettingsChanges = Schema.Struct({
  enabled: Schema.optionalKey(fields.enabled),
  max_earlier_minutes: Schema.optionalKey(fields.max_earlier_minutes),
  max_later_minutes: Schema.optionalKey(fields.max_later_minutes),
  buffer_minutes: Schema.optionalKey(fields.buffer_minutes),
  check_minutes: Schema.optionalKey(fields.check_minutes)
}).check(check<object>("required", (changes) => Object.keys(changes).length > 0, { minProperties: 1 }))
export type FlightSettingsChanges = typeof FlightSettingsChanges.Type

/** The settings in a response. `available` is whether the installation has a service of flight status. */
export const FlightSettingsRecord = Schema.Struct({ ...fields, available: Schema.Boolean })
export type FlightSettingsRecord = typeof FlightSettingsRecord.Type
