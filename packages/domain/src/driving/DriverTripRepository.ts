/** The port to a driver's own jobs. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, DriverId, TripId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { AssignmentStatus } from "../trips/Assignment.ts"
import type { DrivenCar, DriverTrip } from "./DriverTrip.ts"

/**
 * Which of a driver's jobs a list holds: those still to be done at `now` (`upcoming`: under way, or assigned with time
 * left), all others (`previous`), or both. Ordered by pickup time, then by assignment: the soonest first, or the
 * latest first.
 */
export interface DriverTripQuery {
  readonly filter?: "upcoming" | "previous" | undefined
  readonly status?: AssignmentStatus | undefined
  readonly now: DateTime.Utc
  readonly order: "soonest" | "latest"
}

/** How much a driver has to do, and with which cars. */
export interface DriverDay {
  readonly name: string
  readonly trips_today: number
  readonly trips_upcoming: number
  readonly trips_completed: number
  readonly default_car: DrivenCar | null
  readonly upcoming_cars: ReadonlyArray<DrivenCar>
}

/**
 * A trip that the driver has, or had, a part in; deleted trips are absent to all of these. Of several parts in one trip
 * it is the last that counts.
 *
 * - `find`: one job of the driver; `None` if the trip is absent, another business's, or never was this driver's.
 * - `list`: a page of the driver's jobs.
 * - `day`: the driver's day, which begins and ends at those times, the end exclusive; cars by name.
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
