/** A measured position of a driver. */
import { DateTime, Schema } from "effect"
import * as Field from "../kernel/fields/Field.ts"
import * as Value from "../kernel/fields/Value.ts"

/** A position older than this, in seconds, is stale. */
export const staleAfterSeconds = 120

/**
 * The fields of a position: `lat` and `lng` in degrees, `accuracy` in metres, `heading` in degrees from north, `speed` in
 * metres per second. `recorded_at` is when a phone measured it, `age_seconds` how long ago that is, and `stale` whether
 * that is longer than {@link staleAfterSeconds}.
 */
export const positionFields = {
  lat: Field.says({ person: "driver" }, Field.required(Value.latitude)),
  lng: Field.says({ person: "driver" }, Field.required(Value.longitude)),
  accuracy: Field.says({ person: "driver" }, Field.optional(Value.measurement(10_000_000))),
  heading: Field.says({ person: "driver" }, Field.optional(Value.measurement(360))),
  speed: Field.says({ person: "driver" }, Field.optional(Value.measurement(10_000))),
  recorded_at: { ...Field.sentOrNull(Value.instant), ...Field.assigned(Value.instant) },
  age_seconds: Field.computed(Schema.Int),
  stale: Field.computed(Schema.Boolean)
}

/** A position as stored. */
export const Position = Field.storedOf(positionFields)
export type Position = typeof Position.Type

/** A position in a response. */
export const PositionRecord = Field.recordOf(positionFields)
export type PositionRecord = typeof PositionRecord.Type

/** A position that a phone's fast clock dates after `now` has the age 0. */
const ageInSeconds = ({ recorded_at }: Position, now: DateTime.Utc): number =>
  Math.max(0, Math.floor((DateTime.toEpochMillis(now) - DateTime.toEpochMillis(recorded_at)) / 1000))

/** The fields of a position that depend on the time of the response. */
export const positionAge = {
  age_seconds: ageInSeconds,
  stale: (position: Position, now: DateTime.Utc): boolean => ageInSeconds(position, now) > staleAfterSeconds
}

/** The record of a position at `now`. */
export const positionRecord = Field.encoderOf<typeof positionFields, DateTime.Utc>(
  positionFields,
  positionAge
)
