/**
 * The domain's `PasswordHasher` with argon2id.
 *
 * argon2 works on libuv's pool of four threads, which it shares with name lookups, files and WebCrypto. Two
 * hashes at once leave the others two threads; a bounded queue keeps logins in order and refuses what would wait longer
 * than about a second; and where two hashes are all that the processor can do, its threads give way to the one that
 * answers requests. So a flood of logins delays only logins.
 */
import { makeBoundedQueue, PasswordHasher, type QueueBounds } from "@livery/domain"
import argon2 from "argon2"
import { Effect, Layer, Redacted } from "effect"
import { hashBytes, inspect, nobodysHash, todaysCosts } from "./Argon2Hash.ts"
import { giveWay } from "./WorkerPriority.ts"

/** Bounds that leave half of libuv's threads free, and about a second of hashes waiting. */
export const defaultBounds: QueueBounds = { concurrency: 2, waiting: 60 }

/**
 * - `hash`: argon2id, m=19456 KiB, t=2, p=1, 16 bytes of salt, 32 of hash, in the PHC string format.
 * - `verify`: a hash that is malformed matches nothing, and takes as long to say so as a well-formed one: an
 *   account without a usable password cannot be told by the clock.
 * - `TooManyRequests` (`retryAfterSeconds: 1`) beyond `bounds`.
 *
 * A hash that has begun runs to its end even when its fiber is interrupted, and keeps its place until then.
 */
export const layer = (bounds: Partial<QueueBounds> = {}): Layer.Layer<PasswordHasher> =>
  Layer.effect(
    PasswordHasher,
    Effect.gen(function* () {
      yield* giveWay
      const queued = yield* makeBoundedQueue({ ...defaultBounds, ...bounds })
      const costly = <A>(work: () => Promise<A>) => queued(Effect.uninterruptible(Effect.promise(work)))

      const matches = (password: Redacted.Redacted, encoded: string) =>
        costly(() => argon2.verify(encoded, Redacted.value(password)))

      return PasswordHasher.of({
        hash: Effect.fn("PasswordHasher.hash")((password) =>
          costly(() =>
            argon2.hash(Redacted.value(password), {
              ...todaysCosts,
              type: argon2.argon2id,
              hashLength: hashBytes
            })
          )
        ),
        compare: Effect.fn("PasswordHasher.compare")(function* (password, encoded) {
          const known = inspect(encoded)
          const matching = yield* matches(password, known === undefined ? nobodysHash : encoded)
          return { matches: known !== undefined && matching, outdated: known?.outdated ?? false }
        }),
        compareDummy: Effect.fn("PasswordHasher.compareDummy")((password) =>
          Effect.asVoid(matches(password, nobodysHash))
        )
      })
    })
  )
