/** Creating a business, reading it and acting for it. */
import { Context, Effect, Layer } from "effect"
import { PlatformSettings } from "../configuration/PlatformSettings.ts"
import { orNotFound } from "../kernel/Errors.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { storeUnderFreeName } from "../kernel/security/Reference.ts"
import { crockford } from "../kernel/security/Crockford.ts"
import type { BusinessId, UserId } from "../kernel/Ids.ts"
import { type ActingBusiness, businessRecord, requireActive } from "./Business.ts"
import { BusinessRepository } from "./BusinessRepository.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** The slug of a name: lower-case ASCII letters, digits and single hyphens, 1 to 40 characters. */
export const slugOf = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .replaceAll(/^-+|-+$/gu, "")
    .slice(0, 40)
    .replaceAll(/-+$/gu, "") || "business"

export class Businesses extends Context.Service<Businesses>()("@livery/domain/Businesses", {
  make: Effect.gen(function* () {
    const businesses = yield* BusinessRepository
    const cryptography = yield* Cryptography
    const settings = yield* PlatformSettings

    const acting = traced("Businesses.acting")(function* (id: BusinessId) {
      const business = yield* requireActive(yield* orNotFound("business")(yield* businesses.find(id)))
      const { business_id, business_name, currency, status, timezone } = business
      return { business_id, business_name, status, currency, timezone } satisfies ActingBusiness
    })

    return {
      /**
       * A new business on `planId` or else on the default plan, with its first member, an owner. Its `vendor_slug`
       * derives from its name, with a random suffix if another business has that slug.
       */
      create: traced("Businesses.create")(function* (business: {
        readonly name: string
        readonly email: string
        readonly owner: UserId
        readonly websiteUrl?: string | null
        readonly planId?: number
      }) {
        const { name, email, websiteUrl = null, planId = settings.current().default_plan_id } = business
        const base = slugOf(name)
        const slugs = (attempt: number) =>
          attempt === 0
            ? Effect.succeed(base)
            : Effect.map(cryptography.randomBytes(6), (bytes) => `${base}-${crockford(bytes).toLowerCase()}`)
        const id = yield* storeUnderFreeName(slugs, (slug) =>
          businesses.insert({ name, email, slug, planId, websiteUrl })
        )
        yield* businesses.addMember(id, business.owner, "owner")
        return id
      }),

      /** The record of the acting business; `NotFound` if it is absent. */
      read: traced("Businesses.read")(function* (acting: ActingBusiness) {
        return businessRecord(yield* orNotFound("business")(yield* businesses.find(acting.business_id)))
      }),

      /**
       * The business with that id, as a caller of the other use cases acts for it, for programs that do not
       * authenticate their callers by Livery. `NotFound` if it is absent, `AccountSuspended` if it is suspended, as
       * for callers of the HTTP API.
       */
      acting
    }
  })
}) {
  static readonly layer = Layer.effect(Businesses, Businesses.make)
}
