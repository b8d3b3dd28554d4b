/** The name of a trip or a booking in calendars: the same in each mail about it and in each feed. */
import { Effect } from "effect"
import type { BusinessId } from "../kernel/Ids.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { BusinessRepository } from "./BusinessRepository.ts"

/** Builds the function that returns, for a business, the function that returns the UID of its record with a reference. */
export const makeCalendarUids = Effect.gen(function* () {
  const { linkKeyOf } = yield* BusinessRepository
  const cryptography = yield* Cryptography
  return (businessId: BusinessId) =>
    // With the link key: the id of the business could be guessed from a digest of it.
    Effect.map(
      linkKeyOf(businessId),
      (key) => (reference: string) =>
        Effect.map(cryptography.sha256(`${key} ${reference}`), (hash) => `${hash.slice(0, 32)}@livery`)
    )
})

/** Builds the function that returns the UID of the record of a business with that reference. */
export const makeCalendarUid = Effect.map(
  makeCalendarUids,
  (uidsOf) => (businessId: BusinessId, reference: string) =>
    Effect.flatMap(uidsOf(businessId), (uidOf) => uidOf(reference))
)
