/** A measured position of a driver. */
import { DateTime, Schema } from "effect"
import { rfc3339 } from "../kernel/time/WallClock.ts"

/** A position older than this, in seconds, is stale. */
export const staleAfterSeconds = 120

/** A position and the time at which a phone measured it. */
export interface Position {
  readonly lat: number
  readonly lng: number
  /** Metres. */
  readonly accuracy: number | null
  /** Degrees from north. */
  readonly heading: number | null
  /** Metres per second. */
  readonly speed: number | null
  readonly recorded_at: DateTime.Utc
}

/** A position in a response: `age_seconds` is its age, `stale` whether that exceeds {@link staleAfterSeconds}. */
export const PositionRecord = Schema.Struct({
  lat: Schema.Finite,
  lng: Schema.Finite,
  accuracy: Schema.NullOr(Schema.Finite),
  heading: Schema.NullOr(Schema.Finite),
  speed: Schema.NullOr(Schema.Finite),
  recorded_at: Schema.String,
  age_seconds: Schema.Int,
  stale: Schema.Boolean
})
export type PositionRecord = typeof PositionRecord.Type

/** The record of a position at `now`. A position that a phone's fast clock dates after `now` has the age 0. */
export const positionRecord = (position: Position, now: DateTime.Utc): PositionRecord => {
  const age = Math.max(
    0,
    Math.floor((DateTime.toEpochMillis(now) - DateTime.toEpochMillis(position.recorded_at)) / 1000)
  )
  return {
    lat: position.lat,
    lng: position.lng,
    accuracy: position.accuracy,
    heading: position.heading,
    speed: position.speed,
    recorded_at: rfc3339(position.recorded_at),
    age_seconds: age,
    stale: age > staleAfterSeconds
  }
}
