/** The port through which a trip gets its final price when it ends, and which knows the taxes that prices contain. */
import { Context, Effect } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import type { BusinessId, TripId } from "../../kernel/Ids.ts"
import type { Tax } from "../../kernel/money/Taxes.ts"
import type { Trip } from "./Trip.ts"

/** A part of a trip's price, which contains these taxes. `label` names a part that is taxed otherwise than the ride. */
export interface PricePart {
  readonly minor: number
  readonly taxes: ReadonlyArray<Tax>
  readonly label: string | null
}

/**
 * - `applyFinalPrice`: called in the transaction of a change that ends a locked trip, reopens it, or enters tolls or waiting
 *   of an ended one, before the change is stored. Returns `after` with the price or the cancellation fee that it is to have.
 * - `withoutFinalPrice`: the trip with the price that it had before its end, for a copy of it.
 * - `taxedParts`: the parts of the price of each trip whose tariff has taxes; for a cancelled one, of its fee.
 * - `outdatedPrices`: the open trips among changed ones where the change alters an input of the price that a tariff gave the trip. The
 *   prices stay.
 */
export interface TripChargesShape {
  readonly applyFinalPrice: (acting: ActingBusiness, before: Trip, after: Trip) => Effect.Effect<Trip>
  readonly withoutFinalPrice: (trip: Trip) => Effect.Effect<Trip>
  readonly taxedParts: (
    businessId: BusinessId,
    trips: ReadonlyArray<Trip>
  ) => Effect.Effect<ReadonlyMap<TripId, ReadonlyArray<PricePart>>>
  readonly outdatedPrices: (
    acting: ActingBusiness,
    changes: ReadonlyArray<{ readonly before: Trip; readonly after: Trip }>
  ) => Effect.Effect<ReadonlySet<TripId>>
}

/** By default, a trip keeps the price that it has. `fares/FinalFares.ts` charges trips by their tariffs. */
export const TripCharges = Context.Reference<TripChargesShape>("@livery/domain/TripCharges", {
  defaultValue: () => ({
    applyFinalPrice: (_acting, _before, after) => Effect.succeed(after),
    withoutFinalPrice: Effect.succeed,
    taxedParts: () => Effect.succeed(new Map()),
    outdatedPrices: () => Effect.succeed(new Set())
  })
})
