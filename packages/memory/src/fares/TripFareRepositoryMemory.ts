/** The domain's `TripFareRepository` in memory. */
import { TripFareRepository } from "@livery/domain"
import { Effect, Layer, Option } from "effect"
import { rowOf } from "../store/Fields.ts"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  TripFareRepository,
  Effect.map(Store, ({ step, tripFares }) =>
    TripFareRepository.of({
      find: (businessId, tripId) => step(() => Option.fromUndefinedOr(rowOf(tripFares, businessId, tripId))),
      store: (fare) => Effect.asVoid(step(() => tripFares.set(fare.trip_id, fare)))
    })
  )
)
