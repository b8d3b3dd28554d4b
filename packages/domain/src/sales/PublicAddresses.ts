/** The addresses that visitors use without a credential: booking pages, and the links of quotes and invoices. */
import { Context, Effect, Layer, Option } from "effect"
import { isSuspended } from "../business/Business.ts"
import { BusinessRepository } from "../business/BusinessRepository.ts"
import { NotFound } from "../kernel/Errors.ts"
import { businessOfToken } from "../kernel/security/BusinessToken.ts"
import { makeOpenPage } from "./OpenPage.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** What a public address names: a booking page by its slug, or a quote or an invoice by its token. */
export type PublicAddressKind = "page" | "quote" | "invoice"

/**
 * - `requireActive`: `NotFound` for an address whose business is suspended or does not exist, as for any other request to
 *   that address. The record of a token is not read.
 */
export class PublicAddresses extends Context.Service<
  PublicAddresses,
  {
    readonly requireActive: (kind: PublicAddressKind, value: string) => Effect.Effect<void, NotFound>
  }
>()("@livery/domain/PublicAddresses") {
  static readonly layer = Layer.effect(
    PublicAddresses,
    Effect.gen(function* () {
      const businesses = yield* BusinessRepository
      const openPage = yield* makeOpenPage

      return PublicAddresses.of({
        requireActive: traced("PublicAddresses.requireActive")(function* (kind, value) {
          if (kind === "page") return yield* Effect.asVoid(openPage(value))
          const id = Option.getOrUndefined(businessOfToken(kind, value))
          const business = id === undefined ? undefined : Option.getOrUndefined(yield* businesses.find(id))
          if (business === undefined || isSuspended(business)) return yield* new NotFound({ resource: kind })
        })
      })
    })
  )
}
