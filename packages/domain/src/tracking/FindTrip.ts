/** The look-up of a trip to track, by its id. */
import { Effect } from "effect"
import { NotFound } from "../kernel/Errors.ts"
import { type FollowedTrip, TrackingRepository } from "./TrackingRepository.ts"

/** Makes the look-up of a business's trip; `NotFound` if it is absent, deleted or another business's. */
export const makeFindTrip = Effect.map(TrackingRepository, (trips) =>
  Effect.fnUntraced(function* ({ businessId, tripId }: FollowedTrip) {
    const [trip] = yield* trips.find(businessId, [tripId])
    if (trip === undefined || trip.deleted) return yield* new NotFound({ resource: "trip" })
    return trip
  })
)
