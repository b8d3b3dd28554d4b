/** The contract of `IdempotencyStore`. */
import { IdempotencyStore, responseRetention, Transaction } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Duration, Effect, Option, Ref } from "effect"
import { TestClock } from "effect/testing"
import { atOnce, contract, unique } from "./Contract.ts"

const stored = { content: "digest", response: '{"ok":true}' }

/** The store, with each method in a transaction of its own. */
const inTransactions = Effect.gen(function* () {
  const store = yield* IdempotencyStore
  const transaction = yield* Transaction
  const key = unique("key")
  const work = Effect.andThen(store.claim(key), store.save(key, stored))
  return { store, transaction, key, work, claim: transaction.run(store.claim(key)) }
})

export const idempotencyStore = contract("the responses of idempotent requests", (it) => {
  it.effect("are returned to a repeated request", () =>
    Effect.gen(function* () {
      const { claim, transaction, work } = yield* inTransactions
      yield* transaction.run(work)
      assert.deepStrictEqual(yield* claim, Option.some(stored))
    })
  )

  it.effect("are not stored by a request that fails", () =>
    Effect.gen(function* () {
      const { claim, transaction, work } = yield* inTransactions
      yield* Effect.flip(transaction.run(Effect.andThen(work, Effect.fail("no"))))
      assert.deepStrictEqual(yield* claim, Option.none())
    })
  )

  it.effect("are not stored for a key that is released", () =>
    Effect.gen(function* () {
      const { claim, key, store, transaction } = yield* inTransactions
      yield* transaction.run(Effect.andThen(store.claim(key), store.release(key)))
      assert.deepStrictEqual(yield* claim, Option.none())
    })
  )

  it.effect("are kept for a day", () =>
    Effect.gen(function* () {
      const { claim, key, store, transaction, work } = yield* inTransactions
      yield* transaction.run(work)
      yield* TestClock.adjust(Duration.subtract(responseRetention, Duration.seconds(1)))
      assert.isTrue(Option.isSome(yield* claim))
      yield* TestClock.adjust("1 second")
      yield* transaction.run(Effect.andThen(store.claim(key), store.release(key)))
      assert.deepStrictEqual(yield* claim, Option.none())
    })
  )

  it.effect("are those of one of several concurrent requests", () =>
    Effect.gen(function* () {
      const { key, store, transaction } = yield* inTransactions
      const done = yield* Ref.make(0)
      const answers = yield* atOnce(5, () =>
        transaction.run(
          Effect.gen(function* () {
            const found = yield* store.claim(key)
            if (Option.isSome(found)) return found.value.response
            yield* Ref.update(done, (count) => count + 1)
            yield* store.save(key, stored)
            return stored.response
          })
        )
      )
      assert.strictEqual(yield* Ref.get(done), 1)
      assert.deepStrictEqual(new Set(answers), new Set([stored.response]))
    })
  )
})
