/**
 * Detects the end of credentials that are used for longer than one request: those of open streams.
 *
 * One loop reads all watched credentials every {@link checkInterval}, past the `CredentialCache`: one statement for the
 * sessions and one for the API keys, however many streams are open. Without streams the loop waits.
 */
import { Clock, Context, DateTime, Deferred, Duration, Effect, Latch, Layer, Redacted } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import type { BusinessId } from "../../kernel/Ids.ts"
import { Cryptography } from "../../kernel/security/Cryptography.ts"
import { AccessTokens, type VerifiedToken } from "../sessions/AccessTokens.ts"
import { apiKeyPrefix } from "../keys/ApiKey.ts"
import { ApiKeyRepository } from "../keys/ApiKeyRepository.ts"
import { actingBusiness } from "./Authentication.ts"
import type { BearerPrincipal } from "./Principal.ts"
import { SessionRepository } from "../sessions/SessionRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** How often the watched credentials are read, so that a stream ends within a second of its credential's end. */
const checkInterval = Duration.millis(500)

/** A credential of an open stream, and the business that it acts for. */
type Watched = {
  readonly business: string
  readonly ended: Deferred.Deferred<void>
} & ({ readonly _tag: "ApiKey"; readonly keyHash: string } | ({ readonly _tag: "User" } & VerifiedToken))

export class CredentialWatch extends Context.Service<CredentialWatch>()("@livery/domain/CredentialWatch", {
  make: Effect.gen(function* () {
    const keys = yield* ApiKeyRepository
    const sessions = yield* SessionRepository
    const tokens = yield* AccessTokens
    const cryptography = yield* Cryptography
    const watched = new Set<Watched>()
    const isWatching = Latch.makeUnsafe()

    /** The present holders of the watched credentials, by session and by hash of the key. */
    const readHolders = Effect.fnUntraced(function* (batch: ReadonlyArray<Watched>) {
      const sessionIds = new Set(batch.flatMap((one) => (one._tag === "User" ? [one.sessionId] : [])))
      const keyHashes = new Set(batch.flatMap((one) => (one._tag === "ApiKey" ? [one.keyHash] : [])))
      const users =
        sessionIds.size === 0 ? [] : yield* sessions.findAllActive([...sessionIds], yield* DateTime.now)
      const businesses = keyHashes.size === 0 ? [] : yield* keys.businessesOf([...keyHashes])
      const bySession = new Map(users.map((user) => [user.sessionId, user]))
      const byKey = new Map<string, ActingBusiness>(
        businesses.map(({ business, keyHash }) => [keyHash, business])
      )
      return (one: Watched): BearerPrincipal | undefined => {
        if (one._tag === "ApiKey") {
          const business = byKey.get(one.keyHash)
          return business && { _tag: "ApiKey", business }
        }
        const session = bySession.get(one.sessionId)
        return session?.user.user_id === one.userId ? { _tag: "User", ...session } : undefined
      }
    })

    const check = traced("CredentialWatch.check")(function* (batch: ReadonlyArray<Watched>) {
      const holderOf = yield* readHolders(batch)
      const seconds = (yield* Clock.currentTimeMillis) / 1000
      for (const one of batch) {
        const holder = holderOf(one)
        const isExpired = one._tag === "User" && one.expiresAt <= seconds
        const isActing =
          holder !== undefined &&
          !isExpired &&
          (yield* Effect.match(actingBusiness(holder, one.business), {
            onFailure: () => false,
            onSuccess: ({ business_id }) => String(business_id) === one.business
          }))
        if (!isActing) Deferred.doneUnsafe(one.ended, Effect.void)
      }
    })

    const checkForever = Effect.gen(function* () {
      for (;;) {
        yield* isWatching.await
        yield* Effect.sleep(checkInterval)
        const batch = [...watched]
        yield* Effect.catchCause(check(batch), (cause) => {
          for (const { ended } of batch) Deferred.doneUnsafe(ended, Effect.void)
          return Effect.logWarning("the credentials of streams could not be read", cause)
        })
      }
    })
    yield* Effect.forkScoped(checkForever)

    const watch = (one: Watched) =>
      Effect.suspend(() => {
        watched.add(one)
        isWatching.openUnsafe()
        return Deferred.await(one.ended)
      }).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            watched.delete(one)
            if (watched.size === 0) isWatching.closeUnsafe()
          })
        )
      )

    const ended = traced("CredentialWatch.ended")(function* (
      credential: Redacted.Redacted,
      businessId: BusinessId
    ) {
      const text = Redacted.value(credential)
      const common = { business: String(businessId), ended: Deferred.makeUnsafe<void>() }
      yield* watch(
        text.startsWith(apiKeyPrefix)
          ? { ...common, _tag: "ApiKey", keyHash: yield* cryptography.sha256(text) }
          : { ...common, _tag: "User", ...(yield* tokens.verify(credential)) }
      )
    })

    return {
      /**
       * Completes within a second of the moment when the credential no longer acts for the business. It was revoked or
       * deleted or has expired, its user or the business was suspended, or its user has left the business. `ended`
       * also completes if the credentials cannot be read. `Unauthorized` if the credential is invalid from the start.
       */
      ended
    }
  })
}) {
  static readonly layer = Layer.effect(CredentialWatch, CredentialWatch.make)
}
