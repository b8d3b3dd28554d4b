/**
 * Where a driver is (specification, Signed-in driver routes; Per-assignment driver token routes).
 *
 * A phone reports what it measured and when. Reports come late, twice and in any order; a position is always the
 * newest of them by the time they were measured.
 */
import { DateTime, Schema } from "effect"
import { check } from "../kernel/fields/FieldIssue.ts"
import type { AssignmentId, BusinessId, DriverId, TripId } from "../kernel/Ids.ts"
import { orNull } from "../kernel/fields/Optional.ts"
import { OptionalTimestamp } from "../kernel/time/WallClock.ts"
import { type Position, PositionRecord, positionRecord } from "../tracking/Position.ts"
import { clockToleranceSeconds, Latitude, Longitude } from "../trips/Assignment.ts"

/** How many reports a phone that was offline may send at once. */
export const reportsAtOnce = 500

/** For how many days what a driver reported is kept. */
export const trailKeptDays = 30

/** Phones say -1 where they could not measure. */
const measured = (maximum: number) =>
  orNull(Schema.Finite.check(check<number>("out_of_range", (value) => value <= maximum, { maximum })))

/**
 * What a phone reports: degrees, `accuracy` in metres, `heading` in degrees from north, `speed` in metres a second,
 * negative where it is not known. `recorded_at` is when it was measured: now, unless told; UTC, unless it has an offset.
 */
export const LocationInput = Schema.Struct({
  lat: Latitude,
  lng: Longitude,
  accuracy: measured(10_000_000),
  heading: measured(360),
  speed: measured(10_000),
  recorded_at: orNull(OptionalTimestamp)
})
export type LocationInput = typeof LocationInput.Type

/** What a phone that was offline sends: up to {@link reportsAtOnce} reports, in any order. */
export const LocationBatchInput = Schema.Struct({
  locations: Schema.Array(LocationInput).check(
    check<ReadonlyArray<unknown>>("required", (reports) => reports.length > 0, { minItems: 1 }),
    check<ReadonlyArray<unknown>>("too_long", (reports) => reports.length <= reportsAtOnce, {
      maxItems: reportsAtOnce
    })
  )
})
export type LocationBatchInput = typeof LocationBatchInput.Type

/** Whether a report was recorded: only if an assignment of the driver is `en_route`, and was so when it was measured. */
export const LocationReceipt = Schema.Struct({ recorded: Schema.Boolean })
export type LocationReceipt = typeof LocationReceipt.Type

/** How many of the reports are recorded now, those that had been before among them. */
export const LocationBatchReceipt = Schema.Struct({ recorded: Schema.Int })
export type LocationBatchReceipt = typeof LocationBatchReceipt.Type

/** Who reports: a driver for every assignment under way, or for one alone. */
export interface Reporter {
  readonly business_id: BusinessId
  readonly driver_id: DriverId
  readonly assignment_id: AssignmentId | null
}

/** The position of a driver on a trip. */
export interface DriverPosition {
  readonly driver_id: DriverId
  readonly driver_name: string
  readonly assignment_id: AssignmentId
  readonly trip_id: TripId
  readonly position: Position
}

/** The last position of a driver under way, in the dispatcher's list. */
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

/** What is left of a measurement that phones give as -1 when there is none. */
const known = (value: number | null) => (value === null || value < 0 ? null : value)

const measuredAt = (timestamp: string) => {
  const text = timestamp.trim().toUpperCase().replace(" ", "T")
  return DateTime.makeUnsafe(/(?:Z|[+-]\d{2}:?\d{2})$/u.test(text.slice(10)) ? text : `${text}Z`)
}

/** The position that a report tells of, if it came in at `now`. */
export const positionOf = (input: LocationInput, now: DateTime.Utc): Position => ({
  lat: input.lat,
  lng: input.lng,
  accuracy: known(input.accuracy),
  heading: known(input.heading),
  speed: known(input.speed),
  recorded_at: input.recorded_at === null ? now : measuredAt(input.recorded_at)
})

/** Whether a report claims to be from the future, further than clocks differ. */
export const isFromTheFuture = ({ recorded_at }: Position, now: DateTime.Utc): boolean =>
  DateTime.toEpochMillis(recorded_at) - DateTime.toEpochMillis(now) > clockToleranceSeconds * 1000
