/** The ids of events in calendars. An email and a feed give the same event the same id, so that a calendar shows it once. */
import { Effect } from "effect"
import { BusinessRepository } from "../business/BusinessRepository.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"

/** Makes the function that gives the ids of a business's events, by the reference of their trip or booking. */
export const makeEventUids = Effect.gen(function* () {
  const businesses = yield* BusinessRepository
  const cryptography = yield* Cryptography
  return (businessId: BusinessId) =>
    // With the link key: the id of the business could be guessed from a digest of it.
    Effect.map(
      businesses.linkKeyOf(businessId),
      (key) => (reference: string) =>
        Effect.map(cryptography.sha256(`${key} ${reference}`), (hash) => `${hash.slice(0, 32)}@livery`)
    )
})
