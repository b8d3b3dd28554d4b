/**
 * The domain's `PasswordHasher` with argon2id.
 *
 * argon2 runs on libuv's pool of four threads, which name lookups, files and WebCrypto share. Two concurrent hashes leave
 * two threads to them. A bounded queue refuses logins that would wait longer than about a second.
 */
import { makeBoundedQueue, PasswordHasher, type QueueBounds, traced } from "@livery/domain"
import argon2 from "@node-rs/argon2"
import { Effect, Layer, Redacted } from "effect"
import { type Argon2Costs, currentCosts, dummyHashOf, hashBytes, inspectHash } from "./Argon2Hash.ts"

/** Bounds that leave half of libuv's threads free and queue about a second of hashing. */
export const defaultBounds: QueueBounds = { concurrency: 2, waiting: 60 }

/**
 * - `hash`: argon2id with `costs` (m=19456 KiB, t=2, p=1 by default), 16 bytes of salt, 32 of hash, in the PHC string format.
 * - `compare`: a malformed hash never matches, and the comparison takes as long as with a well-formed one. So the
 *   response time does not reveal an account without a password.
 * - `TooManyRequests` (`retryAfterSeconds: 1`) beyond `bounds`.
 *
 * A hash that has started runs to its end and keeps its place in the queue, even if its fiber is interrupted. Lower costs
 * than the default ones are for tests.
 */
export const layer = (
  bounds: Partial<QueueBounds> = {},
  costs: Argon2Costs = currentCosts
): Layer.Layer<PasswordHasher> =>
  Layer.effect(
    PasswordHasher,
    Effect.gen(function* () {
      const dummyHash = dummyHashOf(costs)
      const queued = yield* makeBoundedQueue({ ...defaultBounds, ...bounds })
      const runQueued = <A>(work: () => Promise<A>) => queued(Effect.uninterruptible(Effect.promise(work)))

      const matches = (password: Redacted.Redacted, encoded: string) =>
        runQueued(() => argon2.verify(encoded, Redacted.value(password)))

      return PasswordHasher.of({
        hash: traced("PasswordHasher.hash")((password) =>
          runQueued(() => argon2.hash(Redacted.value(password), { ...costs, outputLen: hashBytes }))
        ),
        compare: traced("PasswordHasher.compare")(function* (password, encoded) {
          const inspected = inspectHash(encoded, costs)
          const matching = yield* matches(password, inspected === undefined ? dummyHash : encoded)
          return { matches: inspected !== undefined && matching, outdated: inspected?.outdated ?? false }
        }),
        compareDummy: traced("PasswordHasher.compareDummy")((password) =>
          Effect.asVoid(matches(password, dummyHash))
        )
      })
    })
  )
