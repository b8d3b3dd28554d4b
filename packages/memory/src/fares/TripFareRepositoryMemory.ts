import { TripFareRepository } from "@livery/domain"
import { Effect, Option } from "effect"
import { rowOf } from "../store/Fields.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(TripFareRepository, ({ step, tripFares }) => ({
  find: (businessId, tripId) => step(() => Option.fromUndefinedOr(rowOf(tripFares, businessId, tripId))),
  ofTrips: (businessId, tripIds) =>
    step(() =>
      [...new Set(tripIds)]
        .toSorted((one, other) => one - other)
        .flatMap((tripId) => rowOf(tripFares, businessId, tripId) ?? [])
    ),
  store: (fare) => Effect.asVoid(step(() => tripFares.set(fare.trip_id, fare)))
}))
