/**
 * Who is calling, and for whom (specification, Authentication).
 *
 * A credential becomes a principal, and a principal becomes the acting business; every route goes through here.
 */
import { Context, Effect, Layer, Option, Redacted } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import {
  AccountSuspended,
  BusinessRequired,
  Forbidden,
  InvalidInput,
  Unauthorized
} from "../kernel/Errors.ts"
import { AccessTokens } from "./AccessTokens.ts"
import { apiKeyPrefix } from "./ApiKey.ts"
import type { BearerPrincipal, UserPrincipal } from "./Principal.ts"
import { CredentialCache } from "./CredentialCache.ts"

/**
 * The user behind a principal, for routes that serve people only: an API key is `Forbidden` (rule 2), and so is a
 * driver's account, which has routes of its own (rule 12).
 */
export const signedInUser = (principal: BearerPrincipal): Effect.Effect<UserPrincipal, Forbidden> => {
  if (principal._tag === "ApiKey")
    return Effect.fail(new Forbidden({ reason: "This route serves user access tokens only" }))
  if (principal.user.account_type === "D")
    return Effect.fail(new Forbidden({ reason: "A driver's account may use the driver routes only" }))
  return Effect.succeed(principal)
}

/** The business of several that `X-Business-Id` names, or the only one (rule 3). */
export const chosenBusiness = (
  businesses: ReadonlyArray<ActingBusiness>,
  requested: string | undefined
): Effect.Effect<ActingBusiness, Forbidden | BusinessRequired | InvalidInput> => {
  if (requested !== undefined && requested.trim() !== "") {
    if (!/^[1-9]\d{0,14}$/u.test(requested.trim()))
      return Effect.fail(new InvalidInput({ issues: [{ field: "X-Business-Id", issue: "invalid" }] }))
    const business = businesses.find(({ business_id }) => business_id === Number(requested))
    return business === undefined
      ? Effect.fail(new Forbidden({ reason: "You may not act for this business" }))
      : Effect.succeed(business)
  }
  const [only, ...others] = businesses
  if (only === undefined) return Effect.fail(new Forbidden({ reason: "You act for no business yet" }))
  if (others.length === 0) return Effect.succeed(only)
  return Effect.fail(
    new BusinessRequired({
      choices: businesses.map(({ business_id, business_name }) => ({ business_id, business_name }))
    })
  )
}

/**
 * The business a principal acts for (rule 3): a key's own; else the one that `X-Business-Id` names, or the only
 * one. Suspended ones are refused (rule 6).
 */
export const actingBusiness = Effect.fnUntraced(function* (
  principal: BearerPrincipal,
  requested: string | undefined
): Effect.fn.Return<ActingBusiness, Forbidden | BusinessRequired | InvalidInput | AccountSuspended> {
  const business =
    principal._tag === "ApiKey"
      ? principal.business
      : yield* Effect.flatMap(signedInUser(principal), ({ businesses }) =>
          chosenBusiness(businesses, requested)
        )
  if (business.status === "D") return yield* new AccountSuspended()
  return business
})

/**
 * - `principal`: who holds this bearer credential, an API key or an access token; else `Unauthorized`.
 */
export class Authentication extends Context.Service<
  Authentication,
  { readonly principal: (credential: Redacted.Redacted) => Effect.Effect<BearerPrincipal, Unauthorized> }
>()("@livery/domain/Authentication") {
  static readonly layer = Layer.effect(
    Authentication,
    Effect.gen(function* () {
      const credentials = yield* CredentialCache
      const tokens = yield* AccessTokens
      const cryptography = yield* Cryptography

      const byKey = Effect.fnUntraced(function* (
        apiKey: string
      ): Effect.fn.Return<BearerPrincipal, Unauthorized> {
        const business = yield* credentials.businessOfKey(yield* cryptography.sha256(apiKey))
        if (Option.isNone(business)) return yield* new Unauthorized()
        return { _tag: "ApiKey", business: business.value }
      })

      const byToken = Effect.fnUntraced(function* (
        token: Redacted.Redacted
      ): Effect.fn.Return<BearerPrincipal, Unauthorized> {
        const { sessionId, userId } = yield* tokens.verify(token)
        const session = yield* credentials.session(sessionId)
        if (Option.isNone(session) || session.value.user.user_id !== userId) return yield* new Unauthorized()
        return { _tag: "User", sessionId, ...session.value }
      })

      return Authentication.of({
        principal: Effect.fn("Authentication.principal")(function* (credential: Redacted.Redacted) {
          const text = Redacted.value(credential)
          if (text === "") return yield* new Unauthorized()
          return yield* text.startsWith(apiKeyPrefix) ? byKey(text) : byToken(credential)
        })
      })
    })
  )
}
