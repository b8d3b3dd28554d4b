/**
 * A driver's location reports (docs/api/driving.md).
 *
 * A phone reports a position and the time of its measurement. Reports arrive late, repeatedly and in any order; the
 * driver's position is the one measured last.
 */
import { DateTime, Schema } from "effect"
import * as Field from "../kernel/fields/Field.ts"
import { listOf } from "../kernel/fields/List.ts"
import * as Value from "../kernel/fields/Value.ts"
import { AssignmentId, type BusinessId, DriverId, TripId } from "../kernel/Ids.ts"
import { isInFuture } from "../kernel/time/ClockTolerance.ts"
import { type Position, positionAge, positionFields } from "../tracking/Position.ts"

/** A phone that was offline sends at most this many reports in one request. */
export const maxReportsPerBatch = 500

/**
 * The body of one report. A measurement may be negative, which means that the phone could not measure it. `recorded_at`
 * is in UTC unless it has an offset; default: now.
 */
export const LocationInput = Field.inputOf(positionFields)
export type LocationInput = typeof LocationInput.Type

/** The reports of a phone that was offline: up to {@link maxReportsPerBatch}, in any order. */
export const LocationBatchInput = Schema.Struct({
  locations: listOf(LocationInput, { least: 1, most: maxReportsPerBatch })
})
export type LocationBatchInput = typeof LocationBatchInput.Type

/**
 * The response to a report. `recorded`: whether an assignment of the driver was `en_route` at the measurement and still is.
 * `clock_ahead` is true for a time ahead of the server's, which was taken as the server's now.
 */
export const LocationReceipt = Schema.Struct({
  recorded: Schema.Boolean,
  clock_ahead: Schema.optionalKey(Schema.Literal(true))
})
export type LocationReceipt = typeof LocationReceipt.Type

/**
 * The response to a batch. `recorded`: the number of its reports that are now stored, including earlier stored ones.
 * `clock_ahead`: the number of its reports whose time was ahead of the server's; absent if there is none.
 */
export const LocationBatchReceipt = Schema.Struct({
  recorded: Schema.Int,
  clock_ahead: Schema.optionalKey(Schema.Int)
})
export type LocationBatchReceipt = typeof LocationBatchReceipt.Type

/**
 * The driver who reports, for all assignments `en_route`, or for one if `assignment_id` is set. With a `token_hash`, a
 * position is stored only if that is the token of the assignment, and the token is valid.
 */
export interface Reporter {
  readonly business_id: BusinessId
  readonly driver_id: DriverId
  readonly assignment_id: AssignmentId | null
  readonly token_hash: string | null
}

/** The last position of a driver `en_route`, in the dispatcher's list. */
const driverPositionFields = {
  driver_id: Field.assigned(Value.id(DriverId)),
  driver_name: Field.assigned(Value.unboundedText),
  trip_id: Field.assigned(Value.id(TripId)),
  assignment_id: Field.assigned(Value.id(AssignmentId)),
  ...positionFields
}

/** A driver's position on a trip. */
export const DriverPosition = Field.storedOf(driverPositionFields)
export type DriverPosition = typeof DriverPosition.Type

/** A driver's position in a response. */
export const DriverLocationRecord = Field.recordOf(driverPositionFields)
export type DriverLocationRecord = typeof DriverLocationRecord.Type

/** The record of a driver's position at `now`. */
export const driverLocationRecord = Field.encoderOf<typeof driverPositionFields, DateTime.Utc>(
  driverPositionFields,
  positionAge
)

/** A measurement, or null if the phone sent a negative value for "unknown". */
const knownOrNull = (value: number | null) => (value === null || value < 0 ? null : value)

const instantOfMeasurement = (timestamp: string) => {
  const text = timestamp.trim().toUpperCase().replace(" ", "T")
  return DateTime.makeUnsafe(/(?:Z|[+-]\d{2}:?\d{2})$/u.test(text.slice(10)) ? text : `${text}Z`)
}

/** The position in a report that arrived at `now`, with the time that the phone stated. */
export const positionOf = (input: LocationInput, now: DateTime.Utc): Position => ({
  lat: input.lat,
  lng: input.lng,
  accuracy: knownOrNull(input.accuracy),
  heading: knownOrNull(input.heading),
  speed: knownOrNull(input.speed),
  recorded_at: input.recorded_at === null ? now : instantOfMeasurement(input.recorded_at)
})

/** Positions, and how many of them were dated after `now`. */
export interface JudgedPositions {
  readonly positions: ReadonlyArray<Position>
  readonly ahead: number
}

/**
 * The positions of reports that arrived at `now`, in order of time. Each time ahead of `now` becomes `now`, because a phone's
 * clock may be wrong; {@link isInFuture} has the tolerance.
 */
export const positionsOf = (inputs: ReadonlyArray<LocationInput>, now: DateTime.Utc): JudgedPositions => {
  const stated = inputs
    .map((input) => positionOf(input, now))
    .toSorted((one, other) => one.recorded_at.epochMilliseconds - other.recorded_at.epochMilliseconds)
  const isAhead = ({ recorded_at }: Position) => isInFuture(recorded_at, now)
  return {
    positions: stated.map((position) => (isAhead(position) ? { ...position, recorded_at: now } : position)),
    ahead: stated.filter(isAhead).length
  }
}
