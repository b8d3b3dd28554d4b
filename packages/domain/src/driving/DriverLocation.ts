/**
 * A driver's location reports (docs/api/driving.md).
 *
 * A phone reports a position and the time of its measurement. Reports arrive late, repeatedly and in any order; the
 * driver's position is the one measured last.
 */
import { DateTime, Schema } from "effect"
import { check } from "../kernel/fields/FieldIssue.ts"
import type { AssignmentId, BusinessId, DriverId, TripId } from "../kernel/Ids.ts"
import { orNull } from "../kernel/fields/Optional.ts"
import { OptionalTimestamp } from "../kernel/time/WallClock.ts"
import { type Position, PositionRecord, positionRecord } from "../tracking/Position.ts"
import { clockToleranceSeconds, Latitude, Longitude } from "../trips/Assignment.ts"

/** A phone that was offline sends at most this many reports in one request. */
export const maxReportsPerBatch = 500

/** Reports are deleted after this many days. */
export const reportRetentionDays = 30

/** An optional measurement of at most `maximum`. Phones send -1 for a value that they could not measure. */
const measurement = (maximum: number) =>
  orNull(Schema.Finite.check(check<number>("out_of_range", (value) => value <= maximum, { maximum })))

/**
 * One report: `lat` and `lng` in degrees, `accuracy` in metres, `heading` in degrees from north, `speed` in metres per
 * second; a negative value means unknown. `recorded_at` is the time of the measurement, in UTC unless it has an offset;
 * default: now.
 */
export const LocationInput = Schema.Struct({
  lat: Latitude,
  lng: Longitude,
  accuracy: measurement(10_000_000),
  heading: measurement(360),
  speed: measurement(10_000),
  recorded_at: orNull(OptionalTimestamp)
})
export type LocationInput = typeof LocationInput.Type

/** The reports of a phone that was offline: up to {@link maxReportsPerBatch}, in any order. */
export const LocationBatchInput = Schema.Struct({
  locations: Schema.Array(LocationInput).check(
    check<ReadonlyArray<unknown>>("required", (reports) => reports.length > 0, { minItems: 1 }),
    check<ReadonlyArray<unknown>>("too_long", (reports) => reports.length <= maxReportsPerBatch, {
      maxItems: maxReportsPerBatch
    })
  )
})
export type LocationBatchInput = typeof LocationBatchInput.Type

/** `recorded`: whether an assignment of the driver was `en_route` at the time of the measurement and still is. */
export const LocationReceipt = Schema.Struct({ recorded: Schema.Boolean })
export type LocationReceipt = typeof LocationReceipt.Type

/** `recorded`: the number of reports that are now stored, including those that were stored already. */
export const LocationBatchReceipt = Schema.Struct({ recorded: Schema.Int })
export type LocationBatchReceipt = typeof LocationBatchReceipt.Type

/** The driver who reports, for all assignments `en_route`, or for one if `assignment_id` is set. */
export interface Reporter {
  readonly business_id: BusinessId
  readonly driver_id: DriverId
  readonly assignment_id: AssignmentId | null
}

/** A driver's position on a trip. */
export interface DriverPosition {
  readonly driver_id: DriverId
  readonly driver_name: string
  readonly assignment_id: AssignmentId
  readonly trip_id: TripId
  readonly position: Position
}

/** The last position of a driver `en_route`, in the dispatcher's list. */
export const DriverLocationRecord = Schema.Struct({
  driver_id: Schema.Int,
  driver_name: Schema.String,
  trip_id: Schema.Int,
  assignment_id: Schema.Int,
  ...PositionRecord.fields
})
export type DriverLocationRecord = typeof DriverLocationRecord.Type

/** The record of a driver's position at `now`. */
export const driverLocationRecord = (
  { position, ...driver }: DriverPosition,
  now: DateTime.Utc
): DriverLocationRecord => ({ ...driver, ...positionRecord(position, now) })

/** A measurement, or null if the phone sent a negative value for "unknown". */
const knownOrNull = (value: number | null) => (value === null || value < 0 ? null : value)

const instantOfMeasurement = (timestamp: string) => {
  const text = timestamp.trim().toUpperCase().replace(" ", "T")
  return DateTime.makeUnsafe(/(?:Z|[+-]\d{2}:?\d{2})$/u.test(text.slice(10)) ? text : `${text}Z`)
}

/** The position in a report that arrived at `now`. */
export const positionOf = (input: LocationInput, now: DateTime.Utc): Position => ({
  lat: input.lat,
  lng: input.lng,
  accuracy: knownOrNull(input.accuracy),
  heading: knownOrNull(input.heading),
  speed: knownOrNull(input.speed),
  recorded_at: input.recorded_at === null ? now : instantOfMeasurement(input.recorded_at)
})

/** Whether a position is dated further after `now` than {@link clockToleranceSeconds}. */
export const isFromTheFuture = ({ recorded_at }: Position, now: DateTime.Utc): boolean =>
  DateTime.toEpochMillis(recorded_at) - DateTime.toEpochMillis(now) > clockToleranceSeconds * 1000
