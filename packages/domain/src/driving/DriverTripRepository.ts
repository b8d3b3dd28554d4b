/** The port that reads a driver's own jobs. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, DriverId, TripId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { AssignmentStatus } from "../trips/trip/Assignment.ts"
import type { DrivenCar, DriverTrip } from "./DriverTrip.ts"

/**
 * The jobs of a driver that a list holds. `upcoming`: the assignment is `en_route`, or `assigned` with a window that ends
 * after `now`. `previous`: all others. Default: both. The order is by pickup time, then by trip.
 */
export interface DriverTripQuery {
  readonly filter?: "upcoming" | "previous" | undefined
  readonly status?: AssignmentStatus | undefined
  readonly now: DateTime.Utc
  readonly order: "soonest" | "latest"
}

/** The numbers of a driver's trips, and the driver's cars. */
export interface DriverDay {
  readonly name: string
  readonly trips_today: number
  readonly trips_upcoming: number
  readonly trips_completed: number
  readonly default_car: DrivenCar | null
  readonly upcoming_cars: ReadonlyArray<DrivenCar>
}

/**
 * A job is a trip with an assignment of the driver, cancelled ones included; of several, the last counts. No method
 * returns a deleted trip.
 *
 * - `find`: one job; `None` if the trip is absent, another business's, or was never assigned to this driver.
 * - `list`: a page of the driver's jobs.
 * - `day`: the driver's numbers for the day from `starts` (inclusive) to `ends` (exclusive); cars by name.
 */
export class DriverTripRepository extends Context.Service<
  DriverTripRepository,
  {
    readonly find: (
      businessId: BusinessId,
      driverId: DriverId,
      tripId: TripId
    ) => Effect.Effect<Option.Option<DriverTrip>>
    readonly list: (
      businessId: BusinessId,
      driverId: DriverId,
      query: DriverTripQuery,
      page: PageRequest
    ) => Effect.Effect<Page<DriverTrip>>
    readonly day: (
      businessId: BusinessId,
      driverId: DriverId,
      day: { readonly now: DateTime.Utc; readonly starts: DateTime.Utc; readonly ends: DateTime.Utc }
    ) => Effect.Effect<DriverDay>
  }
>()("@livery/domain/DriverTripRepository") {}
