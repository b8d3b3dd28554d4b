/**
 * Authentication of callers, and the choice of the acting business (docs/api/authentication.md). Every call of an
 * adapter with a credential passes here.
 */
import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import { type ActingBusiness, requireActive } from "../../business/Business.ts"
import { type CallerRole, mayDo, type Permission } from "../../business/Role.ts"
import { Cryptography } from "../../kernel/security/Cryptography.ts"
import { makeOldestFirstCache } from "../../kernel/OldestFirstCache.ts"
import {
  type AccountSuspended,
  BusinessRequired,
  Forbidden,
  invalidField,
  type InvalidInput,
  Unauthorized
} from "../../kernel/Errors.ts"
import { AccessTokens, type VerifiedToken } from "../sessions/AccessTokens.ts"
import { apiKeyPrefix } from "../keys/ApiKey.ts"
import type { BearerPrincipal, UserPrincipal } from "./Principal.ts"
import { CredentialCache } from "./CredentialCache.ts"
import { isDriverAccount } from "../users/User.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** The person of a principal, who may be a driver. `Forbidden` for an API key. */
export const signedInPerson = (principal: BearerPrincipal): Effect.Effect<UserPrincipal, Forbidden> =>
  principal._tag === "ApiKey"
    ? Effect.fail(new Forbidden({ reason: "This needs a signed-in user; an API key is not enough" }))
    : Effect.succeed(principal)

/**
 * The user of a principal, for operations that only users may do. `Forbidden` for an API key and for a driver's
 * account.
 */
export const signedInUser = (principal: BearerPrincipal): Effect.Effect<UserPrincipal, Forbidden> =>
  Effect.flatMapEager(signedInPerson(principal), (person) =>
    isDriverAccount(person.user)
      ? Effect.fail(new Forbidden({ reason: "A driver's account may only use the routes for drivers" }))
      : Effect.succeed(person)
  )

/** The super-admin of a principal, for the administration of the platform. `Forbidden` for any other caller. */
export const superAdmin = (principal: BearerPrincipal): Effect.Effect<UserPrincipal, Forbidden> =>
  Effect.flatMapEager(signedInUser(principal), (user) =>
    user.user.account_type === "S"
      ? Effect.succeed(user)
      : Effect.fail(new Forbidden({ reason: "Only a super-admin may do this" }))
  )

/** The business that the caller requested by its id, as text, or the only one. */
export const chosenBusiness = (
  businesses: ReadonlyArray<ActingBusiness>,
  requested: string | undefined
): Effect.Effect<ActingBusiness, Forbidden | BusinessRequired | InvalidInput> => {
  if (requested !== undefined && requested.trim() !== "") {
    if (!/^[1-9]\d{0,14}$/u.test(requested.trim()))
      return Effect.fail(invalidField("X-Business-Id", "invalid"))
    const business = businesses.find(({ business_id }) => business_id === Number(requested))
    return business === undefined
      ? Effect.fail(new Forbidden({ reason: "You may not act for this business" }))
      : Effect.succeed(business)
  }
  const [only, ...others] = businesses
  if (only === undefined) return Effect.fail(new Forbidden({ reason: "You do not belong to a business yet" }))
  if (others.length === 0) return Effect.succeed(only)
  return Effect.fail(
    new BusinessRequired({
      choices: businesses.map(({ business_id, business_name }) => ({ business_id, business_name }))
    })
  )
}

/**
 * The business that a principal acts for: an API key's own, else the requested or only one of the user.
 * `AccountSuspended` if it is suspended.
 */
export const actingBusiness = (
  principal: BearerPrincipal,
  requested: string | undefined
): Effect.Effect<ActingBusiness, Forbidden | BusinessRequired | InvalidInput | AccountSuspended> =>
  Effect.flatMapEager(
    principal._tag === "ApiKey"
      ? Effect.succeed(principal.business)
      : Effect.flatMapEager(signedInUser(principal), ({ businesses }) =>
          chosenBusiness(businesses, requested)
        ),
    requireActive
  )

/**
 * Checks that the access table gives the principal this permission for the acting business, and returns the role that
 * applies: `api_key`, or the user's role in that business. `Forbidden` if it does not.
 */
export const permitted = (
  principal: BearerPrincipal,
  { business_id }: ActingBusiness,
  permission: Permission
): Effect.Effect<CallerRole, Forbidden> => {
  if (principal._tag === "ApiKey")
    return mayDo("api_key", permission)
      ? Effect.succeed("api_key")
      : Effect.fail(new Forbidden({ reason: "An API key may not do this" }))
  const role = principal.businesses.find((membership) => membership.business_id === business_id)?.role
  if (role === undefined) return Effect.fail(new Forbidden({ reason: "You may not act for this business" }))
  return mayDo(role, permission)
    ? Effect.succeed(role)
    : Effect.fail(new Forbidden({ reason: `Your role in this business, ${role}, may not do this` }))
}

/** How many verified credentials are cached. */
const cachedCredentials = 10_000

/** The identity that a credential proves. A revocation does not change it; it only ends the right to act. */
type Identity =
  | { readonly _tag: "ApiKey"; readonly keyHash: string }
  | ({ readonly _tag: "User" } & VerifiedToken)

export class Authentication extends Context.Service<Authentication>()("@livery/domain/Authentication", {
  make: Effect.gen(function* () {
    const credentials = yield* CredentialCache
    const tokens = yield* AccessTokens
    const cryptography = yield* Cryptography
    const clock = yield* Clock.clockWith(Effect.succeed)
    // No request hashes or verifies the text of a credential again.
    const identities = makeOldestFirstCache<Identity>(cachedCredentials)

    const byKey = Effect.fnUntraced(function* (
      apiKey: string
    ): Effect.fn.Return<BearerPrincipal, Unauthorized> {
      const keyHash = yield* cryptography.sha256(apiKey)
      const business = yield* credentials.businessOfKey(keyHash)
      if (Option.isNone(business)) return yield* new Unauthorized()
      identities.set(apiKey, { _tag: "ApiKey", keyHash })
      return { _tag: "ApiKey", business: business.value }
    })

    const byToken = Effect.fnUntraced(function* (
      token: Redacted.Redacted
    ): Effect.fn.Return<BearerPrincipal, Unauthorized> {
      const verified = yield* tokens.verify(token)
      const { sessionId, userId } = verified
      const session = yield* credentials.session(sessionId)
      if (Option.isNone(session) || session.value.user.user_id !== userId) return yield* new Unauthorized()
      identities.set(Redacted.value(token), { _tag: "User", ...verified })
      return { _tag: "User", sessionId, ...session.value }
    })

    return {
      /** The drivers' records of an account. They are read apart from the session, because few requests need them. */
      driversOf: credentials.driversOf,

      /** The same without any look-up, from the caches; `undefined` if they do not have it. */
      cached: (text: string): BearerPrincipal | undefined => {
        const identity = identities.get(text)
        if (identity === undefined) return undefined
        if (identity._tag === "ApiKey") {
          const business = credentials.cachedBusinessOfKey(identity.keyHash)
          return business && { _tag: "ApiKey", business }
        }
        if (identity.expiresAt <= Math.floor(clock.currentTimeMillisUnsafe() / 1000)) {
          identities.delete(text)
          return undefined
        }
        const session = credentials.cachedSession(identity.sessionId)
        return session?.user.user_id === identity.userId
          ? { _tag: "User", sessionId: identity.sessionId, ...session }
          : undefined
      },

      /** The holder of a bearer credential, an API key or an access token; else `Unauthorized`. */
      principal: traced("Authentication.principal")(function* (credential: Redacted.Redacted) {
        const text = Redacted.value(credential)
        if (text === "") return yield* new Unauthorized()
        return yield* text.startsWith(apiKeyPrefix) ? byKey(text) : byToken(credential)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Authentication, Authentication.make)
}
