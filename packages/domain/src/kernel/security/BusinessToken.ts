/**
 * Tokens of a business: a prefix, the business's id, 256 random bits, as in `drv_42_…`. They are opaque to callers. A
 * look-up reads the id from the token, so that it concerns one business, also where businesses are spread over several
 * databases; only the random bits prove anything.
 */
import { Effect, Option, Schema } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { BusinessId } from "../Ids.ts"
import { Cryptography } from "./Cryptography.ts"

const isBusinessId = Schema.is(BusinessId)

/**
 * The prefix of each kind of token: of a driver for one assignment, of a passenger for following a trip, and of a customer
 * for seeing and paying an invoice, or for a quote.
 */
const tokenPrefixes = { driver: "drv_", tracking: "lvt_", invoice: "inv_", quote: "lvq_" } as const

export type TokenKind = keyof typeof tokenPrefixes

/** A new token, and its SHA-256 in hex, by which it is stored. */
export const newBusinessToken = Effect.fnUntraced(function* (
  kind: TokenKind,
  businessId: BusinessId
): Effect.fn.Return<{ readonly token: string; readonly tokenHash: string }, never, Cryptography> {
  const cryptography = yield* Cryptography
  const token = `${tokenPrefixes[kind]}${businessId}_${Base64Url.encode(yield* cryptography.randomBytes(32))}`
  return { token, tokenHash: yield* cryptography.sha256(token) }
})

/** The business that a token names; `None` if the text does not have the form of a token of that kind. */
export const businessOfToken = (kind: TokenKind, token: string): Option.Option<BusinessId> => {
  const prefix = tokenPrefixes[kind]
  if (!token.startsWith(prefix)) return Option.none()
  const [, digits = ""] = /^([1-9]\d{0,15})_[\w-]{43}$/u.exec(token.slice(prefix.length)) ?? []
  const id = Number(digits)
  return isBusinessId(id) ? Option.some(id) : Option.none()
}
