/**
 * A cache of the sessions, businesses and drivers that bearer credentials identify. A busy caller costs one look-up a second
 * instead of one a request, and a revocation takes effect within that second on every node. The node that revokes
 * invalidates its own cache immediately.
 */
import {
  Array,
  Cache,
  Clock,
  Context,
  DateTime,
  Duration,
  Effect,
  Exit,
  Layer,
  MutableHashMap,
  Option
} from "effect"
import type { SessionId, UserId } from "../../kernel/Ids.ts"
import { ApiKeyRepository } from "../keys/ApiKeyRepository.ts"
import type { ActingDriver } from "../users/ActingDriver.ts"
import { SessionRepository } from "../sessions/SessionRepository.ts"

/**
 * How long an entry lives, counted from before its look-up: revocations take effect within a second everywhere, with
 * a tenth of a second to spare.
 */
const credentialTtl = Duration.millis(900)

interface Entry<A> {
  readonly since: number
  readonly value: Option.Option<A>
}

/** Caches only successful look-ups, so that a key works immediately even if it was tried just before it was created. */
const makeCache = Effect.fnUntraced(function* <Key, A>(
  capacity: number,
  lookup: (key: Key) => Effect.Effect<Option.Option<A>>
) {
  const clock = yield* Clock.clockWith(Effect.succeed)
  const cache = yield* Cache.makeWith<Key, Entry<A>>(
    (key) =>
      Effect.flatMap(Clock.currentTimeMillis, (since) =>
        Effect.map(lookup(key), (value) => ({ since, value }))
      ),
    {
      capacity,
      timeToLive: (exit) =>
        Exit.isSuccess(exit) && Option.isSome(exit.value.value) ? credentialTtl : Duration.zero
    }
  )
  // The cache counts from a look-up's end, and a request can join a slow look-up long after it read the database. A look-up
  // that began later than now was made before the clock was set back: its age is unknown.
  const isExpired = ({ since }: Entry<A>, begun: number, now: number) =>
    since <= begun - Duration.toMillis(credentialTtl) || since > now

  const get = Effect.fnUntraced(function* (key: Key) {
    const begun = clock.currentTimeMillisUnsafe()
    const entry = yield* Cache.get(cache, key)
    const now = clock.currentTimeMillisUnsafe()
    if (!isExpired(entry, begun, now)) return entry.value
    yield* Cache.invalidateWhen(cache, key, (entry) => isExpired(entry, begun, now))
    return (yield* Cache.get(cache, key)).value
  })

  // An invalidated look-up is no longer in the map, so its result is not returned, even if it still runs.
  const cached = (key: Key): A | undefined => {
    const entry = MutableHashMap.get(cache.map, key)
    const exit = Option.isSome(entry) ? entry.value.fiber.pollUnsafe() : undefined
    const now = clock.currentTimeMillisUnsafe()
    return exit !== undefined && Exit.isSuccess(exit) && !isExpired(exit.value, now, now)
      ? Option.getOrUndefined(exit.value.value)
      : undefined
  }
  return {
    get,
    cached,
    invalidate: (key: Key) => Cache.invalidate(cache, key),
    invalidateAll: Cache.invalidateAll(cache)
  }
})

export class CredentialCache extends Context.Service<CredentialCache>()("@livery/domain/CredentialCache", {
  make: Effect.gen(function* () {
    const keys = yield* ApiKeyRepository
    const sessions = yield* SessionRepository
    const businesses = yield* makeCache(10_000, keys.businessOf)
    const activeSessions = yield* makeCache(10_000, (sessionId: SessionId) =>
      Effect.flatMap(DateTime.now, (now) => sessions.findActive(sessionId, now))
    )
    const driversOfUsers = yield* makeCache(10_000, (userId: UserId) =>
      Effect.map(sessions.driversOf(userId), Option.liftPredicate(Array.isReadonlyArrayNonEmpty))
    )

    return {
      /** The session with that id, as read at most {@link credentialTtl} ago; `None` if it is not valid. */
      session: activeSessions.get,

      /**
       * The business of the key with that hash, as read at most {@link credentialTtl} ago; `None` if it is not valid.
       */
      businessOfKey: businesses.get,

      /** The drivers' records of the user's account, as read at most {@link credentialTtl} ago. */
      driversOf: (userId: UserId): Effect.Effect<ReadonlyArray<ActingDriver>> => {
        const cached = driversOfUsers.cached(userId)
        if (cached !== undefined) return Effect.succeed(cached)
        return Effect.map(driversOfUsers.get(userId), (found) => (Option.isSome(found) ? found.value : []))
      },

      /** The session from the cache, without waiting; `undefined` if it has to be read. */
      cachedSession: activeSessions.cached,

      /** The business of the key from the cache, without waiting; `undefined` if it has to be read. */
      cachedBusinessOfKey: businesses.cached,

      /** The next call reads the session again. Call it after the commit of a change to it. */
      invalidateSession: activeSessions.invalidate,

      /** The next call reads the key again. Call it after the commit of a change to it. */
      invalidateKey: businesses.invalidate,

      /**
       * The next calls read every credential again, after a change that concerns many: a suspended business, a removed
       * assignment.
       */
      invalidateAll: Effect.all(
        [activeSessions.invalidateAll, businesses.invalidateAll, driversOfUsers.invalidateAll],
        { discard: true }
      )
    }
  })
}) {
  static readonly layer = Layer.effect(CredentialCache, CredentialCache.make)
}
