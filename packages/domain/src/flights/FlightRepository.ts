/** The port that stores how pickups follow flights, and the checks of the flights. */
import { Context, type DateTime, type Effect } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import type { BusinessId, TripId } from "../kernel/Ids.ts"
import type { FlightSettings } from "./FlightSettings.ts"

/** A business whose pickups follow flights. */
export interface FollowingBusiness {
  readonly acting: ActingBusiness
  readonly settings: FlightSettings
}

/**
 * The check of a trip's flight. `booked_for` is the pickup without the flight, null before the first report; `set_to` is the
 * pickup that the flight set last, null if it set none. `failures` are the failed attempts since the last report.
 */
export interface FlightCheck {
  readonly trip_id: TripId
  readonly booked_for: DateTime.Utc | null
  readonly set_to: DateTime.Utc | null
  readonly failures: number
}

/**
 * The trips whose flights are due: from `from` up to `until`, which are bounds of the booked pickup. The pickup itself may be later,
 * by `mostLaterMinutes` at most.
 */
export interface DueFlights {
  readonly now: DateTime.Utc
  readonly from: DateTime.Utc
  readonly until: DateTime.Utc
  /** When a claimed flight is due again. */
  readonly dueAgain: DateTime.Utc
  readonly limit: number
}

/**
 * - `settings`, `save`: the settings of a business; the default ones if it set none.
 * - `businesses`: the active businesses that follow flights and come after that id, in order of id.
 * - `claim`: claims the due checks of open trips with a flight number, the earliest pickups first. Another claim does not get
 *   them before `dueAgain`. A trip with another flight number than before begins anew.
 * - `check`: the check as it is now; undefined before the first claim.
 * - `record`: stores a check, and when it is due again; null if never.
 */
export class FlightRepository extends Context.Service<
  FlightRepository,
  {
    readonly settings: (businessId: BusinessId) => Effect.Effect<FlightSettings>
    readonly save: (businessId: BusinessId, settings: FlightSettings) => Effect.Effect<void>
    readonly businesses: (
      after: BusinessId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<FollowingBusiness>>
    readonly claim: (businessId: BusinessId, due: DueFlights) => Effect.Effect<ReadonlyArray<FlightCheck>>
    readonly check: (businessId: BusinessId, tripId: TripId) => Effect.Effect<FlightCheck | undefined>
    readonly record: (
      businessId: BusinessId,
      check: FlightCheck,
      dueAt: DateTime.Utc | null
    ) => Effect.Effect<void>
  }
>()("@livery/domain/FlightRepository") {}
