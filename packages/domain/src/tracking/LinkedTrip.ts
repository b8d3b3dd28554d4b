/** The trip of a tracking link. */
import { DateTime, Effect, Option, Redacted } from "effect"
import { NotFound } from "../kernel/Errors.ts"
import { makeBusinessTokens } from "../business/BusinessTokens.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { isLinkValid } from "./TrackedTrip.ts"
import { TrackingRepository } from "./TrackingRepository.ts"

/**
 * Makes the look-up of a trip by the token of its link. It returns the trip, and the token's SHA-256 in hex. `NotFound`
 * if the trip ended more than an hour ago or is deleted, the token was replaced or removed, or the business is
 * suspended.
 */
export const makeLinkedTrip = Effect.gen(function* () {
  const trips = yield* TrackingRepository
  const cryptography = yield* Cryptography
  const { businessOfToken } = yield* makeBusinessTokens
  return Effect.fnUntraced(function* (token: Redacted.Redacted) {
    const text = Redacted.value(token)
    const notFound = new NotFound({ resource: "trip" })
    const businessId = yield* businessOfToken("tracking", text)
    if (Option.isNone(businessId)) return yield* notFound
    const hash = yield* cryptography.sha256(text)
    const trip = yield* trips.findByLink(businessId.value, hash)
    if (Option.isNone(trip) || !isLinkValid(trip.value, yield* DateTime.now)) return yield* notFound
    return { trip: trip.value, hash }
  })
})
