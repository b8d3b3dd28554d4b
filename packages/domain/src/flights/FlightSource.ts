/** Asking where a flight is: the port. */
import { Context, type DateTime, type Effect, Schema } from "effect"
import type { FlightState } from "../trips/trip/FlightStatus.ts"

/** A flight by its number without zeros after the airline's code (`LX8`), on a day on the clock of the pickup. */
export interface FlightQuery {
  readonly flight: string
  readonly day: string
}

/** What a service says of a flight; null what it does not say. Times are those of the arrival. */
export interface FlightReport {
  readonly state: FlightState
  readonly scheduled: DateTime.Utc | null
  readonly estimated: DateTime.Utc | null
  readonly landed: DateTime.Utc | null
  readonly terminal: string | null
  readonly gate: string | null
}

/** The service did not answer, refused, or answered nothing that can be read. */
export class FlightsUnavailable extends Schema.TaggedError<FlightsUnavailable>()("FlightsUnavailable", {
  reason: Schema.String
}) {
  override get message() {
    return `The status of flights is not available: ${this.reason}`
  }
}

/**
 * The port to a service of flight status; undefined if the installation has none. It returns the flights with that number on
 * that day, of which a service may know several; empty if it knows none.
 */
export const FlightSource = Context.Reference<
  ((query: FlightQuery) => Effect.Effect<ReadonlyArray<FlightReport>, FlightsUnavailable>) | undefined
>("@livery/domain/FlightSource", { defaultValue: () => undefined })
