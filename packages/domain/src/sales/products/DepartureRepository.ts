/** The port that reads how many seats of each departure of a tour are taken. */
import { Context, type DateTime, type Effect } from "effect"
import type { BusinessId, ProductId, TripId } from "../../kernel/Ids.ts"

/** A departure of a tour that has bookings. */
export interface BookedDeparture {
  readonly starts_at: DateTime.Utc
  /** The participants of all bookings that hold places. */
  readonly taken: number
  /** The participants of the confirmed bookings, which share the trip. */
  readonly on_trip: number
  readonly trip_id: TripId | null
  /** Whether the business cancelled or deleted the trip, which its bookings have kept. */
  readonly is_cancelled: boolean
}

/**
 * - `booked`: the departures of a product that start at `from` or later and before `before` and have bookings at `now`, in order.
 */
export class DepartureRepository extends Context.Service<
  DepartureRepository,
  {
    readonly booked: (
      businessId: BusinessId,
      productId: ProductId,
      range: { readonly from: DateTime.Utc; readonly before: DateTime.Utc },
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<BookedDeparture>>
  }
>()("@livery/domain/DepartureRepository") {}
