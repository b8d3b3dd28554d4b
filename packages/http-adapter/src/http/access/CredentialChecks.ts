/** Finds the holder of a bearer credential, and counts refused credentials. */
import { Effect, Exit, Redacted } from "effect"
import { Authentication, type BearerPrincipal, type TooManyRequests, Unauthorized } from "@livery/domain"
import type { AdmissionRequest } from "./AdmissionRequest.ts"
import { addressOf, TrustedProxies } from "../request/ClientAddress.ts"
import { limit, RateLimits } from "./RateLimits.ts"

/** `Effect.tapError` that returns an effect that has already succeeded as it is. */
const tapFailure = <A, E, E2>(
  effect: Effect.Effect<A, E>,
  onFailure: (error: E) => Effect.Effect<void, E2>
): Effect.Effect<A, E | E2> =>
  Exit.isExit(effect) && Exit.isSuccess(effect) ? effect : Effect.tapError(effect, onFailure)

/** The checks of credentials that every admission shares. */
export const makeCredentialChecks = Effect.gen(function* () {
  const authentication = yield* Authentication
  const limits = yield* RateLimits
  const trusted = yield* TrustedProxies

  const principalOf = (credential: string): Effect.Effect<BearerPrincipal, Unauthorized> => {
    const cached = authentication.cached(credential)
    if (cached !== undefined) return Effect.succeed(cached)
    return credential === ""
      ? Effect.fail(new Unauthorized())
      : authentication.principal(Redacted.make(credential))
  }

  /** Counts a refused credential against the client's address, so that guessing keys is limited. */
  const countRefusal = <A, E extends { readonly _tag: string }>(
    { request, state }: AdmissionRequest,
    admission: Effect.Effect<A, E>
  ): Effect.Effect<A, E | TooManyRequests> =>
    tapFailure(admission, ({ _tag }) =>
      _tag === "TooManyRequests" ? Effect.void : limit(limits, state, "public", addressOf(request, trusted))
    )

  return { countRefusal, principalOf, driversOf: authentication.driversOf }
})
