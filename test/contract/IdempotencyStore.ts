/** The contract of `IdempotencyStore`. */
import { type ClaimedKey, IdempotencyStore, leastResponseRetention, Transaction } from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Duration, Effect, Option, Ref } from "effect"
import { TestClock } from "effect/testing"
import { atOnce, contract, unique } from "./Contract.ts"

/** The period of these tests. */
const retention = leastResponseRetention

const stored = { content: "digest", response: '{"ok":true}', parts: {} }

/** The request that is stored under a claimed key, without its lease. */
const requestOf = ({ earlier }: ClaimedKey) =>
  Option.map(earlier, ({ leased_until: _lease, ...request }) => request)

/** The store, with each method in a transaction of its own. */
const inTransactions = Effect.gen(function* () {
  const store = yield* IdempotencyStore
  const transaction = yield* Transaction
  const key = unique("key")
  const work = Effect.flatMap(store.claim(key, retention), ({ lease }) => store.save(key, lease, stored))
  const released = Effect.flatMap(store.claim(key, retention), ({ lease }) => store.release(key, lease))
  return { store, transaction, key, work, released, claim: transaction.run(store.claim(key, retention)) }
})

export const idempotencyStore = contract("the responses of idempotent requests", (it) => {
  it.effect("are returned to a repeated request", () =>
    Effect.gen(function* () {
      const { claim, transaction, work } = yield* inTransactions
      yield* transaction.run(work)
      assert.deepStrictEqual(requestOf(yield* claim), Option.some(stored))
    })
  )

  it.effect("are not stored by a request that fails", () =>
    Effect.gen(function* () {
      const { claim, transaction, work } = yield* inTransactions
      yield* Effect.flip(transaction.run(Effect.andThen(work, Effect.fail("no"))))
      assert.deepStrictEqual(requestOf(yield* claim), Option.none())
    })
  )

  it.effect("are not stored for a key that is released", () =>
    Effect.gen(function* () {
      const { claim, released, transaction } = yield* inTransactions
      yield* transaction.run(released)
      assert.deepStrictEqual(requestOf(yield* claim), Option.none())
    })
  )

  it.effect("are kept for the given period", () =>
    Effect.gen(function* () {
      const { claim, released, transaction, work } = yield* inTransactions
      yield* transaction.run(work)
      yield* TestClock.adjust(Duration.subtract(retention, Duration.seconds(1)))
      assert.isTrue(Option.isSome(requestOf(yield* claim)))
      yield* TestClock.adjust("1 second")
      yield* transaction.run(released)
      assert.deepStrictEqual(requestOf(yield* claim), Option.none())
    })
  )

  it.effect("are those of one of several concurrent requests", () =>
    Effect.gen(function* () {
      const { key, store, transaction } = yield* inTransactions
      const done = yield* Ref.make(0)
      const answers = yield* atOnce(5, () =>
        transaction.run(
          Effect.gen(function* () {
            const { earlier, lease } = yield* store.claim(key, retention)
            if (Option.isSome(earlier)) return earlier.value.response
            yield* Ref.update(done, (count) => count + 1)
            yield* store.save(key, lease, stored)
            return stored.response
          })
        )
      )
      assert.strictEqual(yield* Ref.get(done), 1)
      assert.deepStrictEqual(new Set(answers), new Set([stored.response]))
    })
  )

  it.effect("are stored only under the current lease, of which each can be taken once", () =>
    Effect.gen(function* () {
      const { claim, key, store, transaction } = yield* inTransactions
      const until = DateTime.makeUnsafe("2026-12-24T18:00:00Z")
      const first = yield* transaction.run(
        Effect.tap(store.claim(key, retention), ({ lease }) => store.save(key, lease, stored))
      )
      const taken = yield* atOnce(5, () => transaction.run(store.lease(key, first.lease, until)))
      const leases = taken.flatMap((lease) => Option.toArray(lease))
      assert.lengthOf(leases, 1)
      const other = { ...stored, parts: { refund: "7" } }
      assert.isFalse(yield* transaction.run(store.save(key, first.lease, other)))
      yield* transaction.run(store.release(key, first.lease))
      const now = yield* claim
      assert.deepStrictEqual(now.earlier, Option.some({ ...stored, leased_until: until }))
      assert.strictEqual(now.lease, leases[0])
      assert.isTrue(yield* transaction.run(store.save(key, now.lease, other)))
      assert.deepStrictEqual(requestOf(yield* claim), Option.some(other))
    })
  )
})
