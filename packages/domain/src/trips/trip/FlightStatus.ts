/** What is known of the flight that a trip's passenger arrives with (docs/api/flights.md). */
import { Schema } from "effect"

/** The state of a flight. */
export const FlightState = Schema.Literals(["scheduled", "active", "landed", "cancelled", "diverted"])
export type FlightState = typeof FlightState.Type

/**
 * What the flight did to the pickup: nothing yet (`unchanged`), it moved it (`moved`), or up to the most that the business allows
 * (`limited`). `kept`: the pickup was changed by hand and does not move. `clash`: a move would clash, and the business
 * enforces its clash policy.
 */
export const FlightEffect = Schema.Literals(["unchanged", "moved", "limited", "kept", "clash"])
export type FlightEffect = typeof FlightEffect.Type

const time = Schema.NullOr(Schema.String)

/**
 * The status of a flight. Times are instants of RFC 3339; `terminal` and `gate` are those of the arrival. `booked_pickup` is
 * the pickup without the flight. `checked_at` is when this status was learned: an unchanged answer does not change it.
 */
export const FlightStatus = Schema.Struct({
  flight: Schema.String,
  state: FlightState,
  scheduled: time,
  estimated: time,
  landed: time,
  terminal: Schema.NullOr(Schema.String),
  gate: Schema.NullOr(Schema.String),
  pickup: FlightEffect,
  booked_pickup: Schema.String,
  checked_at: Schema.String
}).annotate({ identifier: "FlightStatus" })
export type FlightStatus = typeof FlightStatus.Type
