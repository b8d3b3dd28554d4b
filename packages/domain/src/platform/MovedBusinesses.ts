/** Where a business is that a request names and that is not used here. */
import { Effect, Option, Schema } from "effect"
import { makeBusinessTokens } from "../business/BusinessTokens.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import { BusinessProfileRepository } from "../settings/BusinessProfileRepository.ts"
import { VendorSlug } from "../settings/BusinessProfile.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { ImportedBusinesses } from "./ImportedBusinesses.ts"

/**
 * - `Moved`: another installation is its home; `path` is the path and the query that ask it for the same.
 * - `Arriving`: it is being moved here, and is used here in a moment.
 */
export type Whereabouts =
  | { readonly _tag: "Moved"; readonly url: string; readonly path: string }
  | { readonly _tag: "Arriving" }

/** The token of a link, in a path or a query. A gateway's address for text messages is none: gateways do not move. */
const tokenIn = /\b(?:drv|lvt|inv|lvq|lvc)_([0-9a-z]{1,16})_[\w-]{43}/u

/** The slug of a booking page, in the path of the page or of a route of the page. */
const slugIn = /\/(?:public\/businesses|book)\/([^/?#]+)/u

const readSlug = Schema.decodeUnknownOption(VendorSlug)

/** Whether a path names a business by a link or a slug. */
export const namesBusiness = (path: string): boolean => tokenIn.test(path) || slugIn.test(path)

/** Makes the look-ups of businesses that have moved. */
export const makeMovedBusinesses = Effect.gen(function* () {
  const { arrivals, departures: moves } = yield* ImportedBusinesses
  const profiles = yield* BusinessProfileRepository
  const { businessOfKey } = yield* makeBusinessTokens

  const ofBusiness = Effect.fnUntraced(function* (
    businessId: BusinessId,
    path: string
  ): Effect.fn.Return<Option.Option<Whereabouts>> {
    const move = Option.getOrUndefined(yield* moves.find(businessId))
    if (Option.isSome(yield* arrivals.ofBusiness(businessId))) return Option.some({ _tag: "Arriving" })
    if (move === undefined || (move.state !== "moved" && move.state !== "finished")) return Option.none()
    const { target_slug: slug } = move
    const there = slug === null ? path : path.replace(slugIn, (text, old: string) => text.replace(old, slug))
    return Option.some({ _tag: "Moved", url: move.target_url, path: there })
  })

  const businessIn = Effect.fnUntraced(function* (path: string): Effect.fn.Return<Option.Option<BusinessId>> {
    const [, key] = tokenIn.exec(path) ?? []
    if (key !== undefined) return yield* businessOfKey(key)
    const [, slug] = slugIn.exec(path) ?? []
    const wanted = readSlug(slug)
    if (Option.isNone(wanted)) return Option.none()
    return Option.map(yield* profiles.findBySlug(wanted.value), ({ business_id }) => business_id)
  })

  return {
    /** The whereabouts of a business, for a request with that path and query; `None` if it is at home here. */
    ofBusiness: traced("MovedBusinesses.ofBusiness")(ofBusiness),

    /** The same of the business whose link or slug is in the path or the query. */
    ofPath: traced("MovedBusinesses.ofPath")(function* (path: string) {
      const businessId = Option.getOrUndefined(yield* businessIn(path))
      return businessId === undefined ? Option.none<Whereabouts>() : yield* ofBusiness(businessId, path)
    })
  }
})
