/** The port that stores trips, and what it needs to know of the fleet. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, CarId, TripId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { NewTrip, Trip } from "./Trip.ts"
import type { PaymentStatus, TripStatus } from "./TripStatus.ts"

/**
 * Which trips a list holds. All that is given must hold; `from` is inclusive, `before` exclusive. Ordered by pickup
 * time, then id: the latest first, or the soonest first.
 */
export interface TripQuery {
  readonly status?: TripStatus | undefined
  readonly paymentStatus?: PaymentStatus | undefined
  readonly from?: DateTime.Utc | undefined
  readonly before?: DateTime.Utc | undefined
  readonly order: "soonest" | "latest"
}

/**
 * - `insert`: stores a trip at that time; `None` if the business has one of that reference already.
 * - `find`: the business's trip of that id; `None` if absent or another business's.
 * - `list`: a page of the business's trips.
 */
export class TripRepository extends Context.Service<
  TripRepository,
  {
    readonly insert: (trip: NewTrip, now: DateTime.Utc) => Effect.Effect<Option.Option<Trip>>
    readonly find: (businessId: BusinessId, tripId: TripId) => Effect.Effect<Option.Option<Trip>>
    readonly list: (businessId: BusinessId, query: TripQuery, page: PageRequest) => Effect.Effect<Page<Trip>>
  }
>()("@livery/domain/TripRepository") {}

/**
 * The port to the fleet, as far as trips need it.
 *
 * - `hold`: whether the business has that car; if so it cannot vanish before the open transaction ends.
 */
export class CarRepository extends Context.Service<
  CarRepository,
  { readonly hold: (businessId: BusinessId, carId: CarId) => Effect.Effect<boolean> }
>()("@livery/domain/CarRepository") {}
