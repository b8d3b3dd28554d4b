/** Trips to store. */
import { type BusinessId, type NewTrip, TripRepository } from "@livery/domain"
import { Effect, Option } from "effect"
import { now, tripOf } from "../../../../test/contract/Given.ts"

export { now, tripOf }

/** Stores a trip of the business. */
export const insert = Effect.fnUntraced(function* (business: BusinessId, change: Partial<NewTrip> = {}) {
  const trips = yield* TripRepository
  return Option.getOrThrow(yield* trips.insert(tripOf(business, change), now)).trip
})
