/** The addresses that visitors use without a credential: booking pages, and the links of quotes and invoices. */
import { Context, Effect, Layer, Option } from "effect"
import { isSuspended } from "../../business/Business.ts"
import { BusinessRepository } from "../../business/BusinessRepository.ts"
import { NotFound } from "../../kernel/Errors.ts"
import { makeBusinessTokens } from "../../business/BusinessTokens.ts"
import { BusinessProfileRepository } from "../../settings/BusinessProfileRepository.ts"
import { makeOpenPage, slugOf } from "./OpenPage.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** What a public address names: a booking page by its slug, or a quote or an invoice by its token. */
export type PublicAddressKind = "page" | "quote" | "invoice"

export class PublicAddresses extends Context.Service<PublicAddresses>()("@livery/domain/PublicAddresses", {
  make: Effect.gen(function* () {
    const businesses = yield* BusinessRepository
    const profiles = yield* BusinessProfileRepository
    const openPage = yield* makeOpenPage
    const { businessOfToken } = yield* makeBusinessTokens

    return {
      /** The business of an address, also a suspended one; null if there is none. */
      businessOf: traced("PublicAddresses.businessOf")(function* (kind: PublicAddressKind, value: string) {
        if (kind !== "page") return Option.getOrNull(yield* businessOfToken(kind, value))
        const slug = slugOf(value)
        if (Option.isNone(slug)) return null
        return Option.getOrNull(
          Option.map(yield* profiles.findBySlug(slug.value), ({ business_id }) => business_id)
        )
      }),

      /**
       * `NotFound` for an address whose business is suspended or does not exist, as for any other request to that
       * address. The record of a token is not read.
       */
      requireActive: traced("PublicAddresses.requireActive")(function* (
        kind: PublicAddressKind,
        value: string
      ) {
        if (kind === "page") return yield* Effect.asVoid(openPage(value))
        const id = Option.getOrUndefined(yield* businessOfToken(kind, value))
        const business = id === undefined ? undefined : Option.getOrUndefined(yield* businesses.find(id))
        if (business === undefined || isSuspended(business)) return yield* new NotFound({ resource: kind })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(PublicAddresses, PublicAddresses.make)
}
