/**
 * What bearer credentials stand for, remembered for a moment: so that a busy caller costs one look-up a second and
 * not one a request, and a revocation is still felt on every node within that second. The node that revokes
 * forgets at once.
 */
import { Cache, Clock, Context, DateTime, Duration, Effect, Exit, Layer, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import type { SessionId } from "../kernel/Ids.ts"
import { ApiKeyRepository } from "./ApiKey.ts"
import { SessionRepository, type StandingSession } from "./Session.ts"

/**
 * How long what a credential stands for may be remembered, counted from before it was looked up: a revocation is
 * felt within a second everywhere, with a tenth of it to spare.
 */
export const remembered = Duration.millis(900)

interface Found<A> {
  readonly since: number
  readonly value: Option.Option<A>
}

/** Only what was found is remembered: a key that is made a moment after it was tried works at once. */
const forAMoment = Effect.fnUntraced(function* <Key, A>(
  capacity: number,
  lookup: (key: Key) => Effect.Effect<Option.Option<A>>
) {
  const cache = yield* Cache.makeWith<Key, Found<A>>(
    (key) =>
      Effect.flatMap(Clock.currentTimeMillis, (since) =>
        Effect.map(lookup(key), (value) => ({ since, value }))
      ),
    {
      capacity,
      timeToLive: (exit) =>
        Exit.isSuccess(exit) && Option.isSome(exit.value.value) ? remembered : Duration.zero
    }
  )
  const get = Effect.fnUntraced(function* (key: Key) {
    const asked = yield* Clock.currentTimeMillis
    // The cache counts from a look-up's end, and a slow one can be joined long after it read the database.
    const tooOld = ({ since }: Found<A>) => since <= asked - Duration.toMillis(remembered)
    const found = yield* Cache.get(cache, key)
    if (!tooOld(found)) return found.value
    yield* Cache.invalidateWhen(cache, key, tooOld)
    return (yield* Cache.get(cache, key)).value
  })
  return {
    get,
    forget: (key: Key) => Cache.invalidate(cache, key),
    forgetAll: Cache.invalidateAll(cache)
  }
})

/**
 * - `session`, `businessOfKey`: what a session or a key of that hash stands for, at most {@link remembered} ago;
 *   `None` if it does not stand.
 * - `forgetSession`, `forgetKey`: the next call looks it up. Call it after the commit that changed it.
 * - `forgetAll`: the same for every credential, after a change that touches many: a suspended business, a removed
 *   assignment.
 */
export class StandingCredentials extends Context.Service<
  StandingCredentials,
  {
    readonly session: (sessionId: SessionId) => Effect.Effect<Option.Option<StandingSession>>
    readonly businessOfKey: (keyHash: string) => Effect.Effect<Option.Option<ActingBusiness>>
    readonly forgetSession: (sessionId: SessionId) => Effect.Effect<void>
    readonly forgetKey: (keyHash: string) => Effect.Effect<void>
    readonly forgetAll: Effect.Effect<void>
  }
>()("@livery/domain/StandingCredentials") {
  static readonly layer = Layer.effect(
    StandingCredentials,
    Effect.gen(function* () {
      const keys = yield* ApiKeyRepository
      const sessions = yield* SessionRepository
      const businesses = yield* forAMoment(10_000, keys.businessOf)
      const standing = yield* forAMoment(10_000, (sessionId: SessionId) =>
        Effect.flatMap(DateTime.now, (now) => sessions.standing(sessionId, now))
      )
      return StandingCredentials.of({
        session: standing.get,
        businessOfKey: businesses.get,
        forgetSession: standing.forget,
        forgetKey: businesses.forget,
        forgetAll: Effect.andThen(standing.forgetAll, businesses.forgetAll)
      })
    })
  )
}
