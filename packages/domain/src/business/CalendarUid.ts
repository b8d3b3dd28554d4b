/** The name of a trip or a booking in calendars: the same in each mail about it and in each feed. */
import { Effect } from "effect"
import type { BusinessId } from "../kernel/Ids.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { BusinessRepository } from "./BusinessRepository.ts"

/** Builds the function that returns the UID of the record of a business with that reference. */
export const makeCalendarUid = Effect.gen(function* () {
  const { linkKeyOf } = yield* BusinessRepository
  const cryptography = yield* Cryptography
  return Effect.fnUntraced(function* (businessId: BusinessId, reference: string) {
    // With the link key: the id of the business could be guessed from a digest of it.
    const hash = yield* cryptography.sha256(`${yield* linkKeyOf(businessId)} ${reference}`)
    return `${hash.slice(0, 32)}@livery`
  })
})
