/**
 * Tokens of a business: a prefix, the business's link key, 256 random bits, as in `drv_b3f0a9c27d41_…`. A look-up finds the
 * business by the key, so that it concerns one business, also where businesses are spread over several databases; only the
 * random bits prove anything.
 *
 * The link key is random and never changes. The id of the business would tell everyone who gets a link how many businesses
 * there are, and which one this is. Links that were sent before have the id and still work: a token is stored as a whole, so
 * no new token is valid with an id in place of the key.
 */
import { Effect, type Option, Schema } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { BusinessId } from "../kernel/Ids.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { BusinessRepository } from "./BusinessRepository.ts"

const isBusinessId = Schema.is(BusinessId)

/**
 * The prefix of each kind of token: of a driver for one assignment, of a passenger for following a trip, of a customer
 * for seeing and paying an invoice, or for a quote, of a calendar for its feed, and of a
 * gateway for text messages, for its receipts and replies.
 */
const tokenPrefixes = {
  driver: "drv_",
  tracking: "lvt_",
  invoice: "inv_",
  quote: "lvq_",
  calendar: "lvc_",
  texts: "lvx_"
} as const

export type TokenKind = keyof typeof tokenPrefixes

/** The number of characters of a link key. */
export const linkKeyLength = 12

const linkKey = /^b[0-9a-f]{11}$/u

const none: Effect.Effect<Option.Option<BusinessId>> = Effect.succeedNone

/**
 * - `newToken`: a new token, and its SHA-256 in hex, by which it is stored.
 * - `businessOfToken`: the business that a token names; `None` if the text does not have the form of a token of that kind.
 * - `linkKeyOf`: the link key of a business.
 * - `businessOfKey`: the business with that link key; in a link from before there were keys, the business with that id. The
 *   id may be of no business.
 */
export const makeBusinessTokens = Effect.gen(function* () {
  const businesses = yield* BusinessRepository
  const cryptography = yield* Cryptography

  const businessOfKey = (key: string): Effect.Effect<Option.Option<BusinessId>> => {
    if (linkKey.test(key)) return businesses.findByLinkKey(key)
    const id = /^[1-9]\d{0,15}$/u.test(key) ? Number(key) : Number.NaN
    return isBusinessId(id) ? Effect.succeedSome(id) : none
  }

  const newToken = Effect.fnUntraced(function* (kind: TokenKind, businessId: BusinessId) {
    const key = yield* businesses.linkKeyOf(businessId)
    const token = `${tokenPrefixes[kind]}${key}_${Base64Url.encode(yield* cryptography.randomBytes(32))}`
    return { token, tokenHash: yield* cryptography.sha256(token) }
  })

  const businessOfToken = (kind: TokenKind, token: string) => {
    const prefix = tokenPrefixes[kind]
    if (!token.startsWith(prefix)) return none
    const [, key] = /^([0-9a-z]{1,16})_[\w-]{43}$/u.exec(token.slice(prefix.length)) ?? []
    return key === undefined ? none : businessOfKey(key)
  }

  return { newToken, businessOfToken, linkKeyOf: businesses.linkKeyOf, businessOfKey }
})
