import { ApiKeyRepository } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Exit, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { at, atOnce, TestPersistence, newBusiness, newUser, unique } from "../support/TestPersistence.ts"

const newKey = Effect.fnUntraced(function* (change: Parameters<typeof newBusiness>[0] = {}) {
  const keys = yield* ApiKeyRepository
  const businessId = yield* newBusiness(change)
  const key = {
    keyHash: unique("hash"),
    maskedKey: "lvk_ab12…yz89",
    createdBy: yield* newUser,
    createdAt: at("09:30:00")
  }
  yield* keys.insert(businessId, key)
  return { businessId, key, keyHash: key.keyHash }
})

const lastUse = Effect.fnUntraced(function* (keyHash: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ last_used_at: Date | null }>`
    SELECT last_used_at FROM api_keys WHERE key_hash = ${keyHash}`
  return row?.last_used_at?.getTime() ?? null
})

layer(TestPersistence)("an API key", (it) => {
  it.effect("identifies its business in its current state", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeyRepository
      const active = yield* newKey({ timezone: "Asia/Tokyo" })
      const suspended = yield* newKey({ status: "D" })
      const found = yield* Effect.forEach([active, suspended], ({ keyHash }) =>
        Effect.map(keys.businessOf(keyHash), Option.getOrThrow)
      )
      assert.deepStrictEqual(
        found.map(({ business_id, currency, status, timezone }) => [
          business_id,
          status,
          String(currency),
          timezone
        ]),
        [
          [active.businessId, "A", "USD", "Asia/Tokyo"],
          [suspended.businessId, "D", "USD", "UTC"]
        ]
      )
    })
  )

  it.effect("belongs to one business", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeyRepository
      const { businessId, key, keyHash } = yield* newKey()
      assert.isTrue(Exit.isFailure(yield* Effect.exit(keys.insert(yield* newBusiness(), key))))
      assert.strictEqual(Option.getOrThrow(yield* keys.businessOf(keyHash)).business_id, businessId)
    })
  )

  /** Waits until the use of a key is recorded, after a time if one is given. */
  const recordedUse = (keyHash: string, after = 0) =>
    Effect.repeat(lastUse(keyHash), { until: (at) => (at ?? 0) > after, times: 5_000 })

  it.effect("has its use recorded, by one node at most once a minute", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeyRepository
      const sql = yield* SqlClient.SqlClient
      const { keyHash } = yield* newKey()
      const another = yield* newKey()
      assert.isNull(yield* lastUse(keyHash))
      yield* keys.businessOf(keyHash)
      assert.isNumber(yield* recordedUse(keyHash))
      yield* sql`UPDATE api_keys SET last_used_at = now() - interval '61 seconds' WHERE key_hash = ${keyHash}`
      const before = (yield* lastUse(keyHash)) ?? 0
      yield* keys.businessOf(keyHash)
      // Records of uses are written one after the other.
      yield* keys.businessOf(another.keyHash)
      yield* recordedUse(another.keyHash)
      assert.strictEqual(yield* lastUse(keyHash), before)
      yield* TestClock.adjust("61 seconds")
      yield* keys.businessOf(keyHash)
      assert.isAbove((yield* recordedUse(keyHash, before)) ?? 0, before)
    })
  )

  it.effect("has its use recorded after a minute although the clock was set back by an hour", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeyRepository
      const sql = yield* SqlClient.SqlClient
      const { keyHash } = yield* newKey()
      yield* TestClock.adjust("2 hours")
      yield* keys.businessOf(keyHash)
      assert.isNumber(yield* recordedUse(keyHash))
      yield* sql`UPDATE api_keys SET last_used_at = now() - interval '61 seconds' WHERE key_hash = ${keyHash}`
      const before = (yield* lastUse(keyHash)) ?? 0
      yield* TestClock.setTime(3_600_000)
      yield* TestClock.adjust("61 seconds")
      yield* keys.businessOf(keyHash)
      assert.isAbove((yield* recordedUse(keyHash, before)) ?? 0, before)
    })
  )

  it.effect("is looked up by reading alone, also if the record of its use fails", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeyRepository
      const sql = yield* SqlClient.SqlClient
      const { keyHash } = yield* newKey()
      const found = yield* sql.withTransaction(
        Effect.andThen(sql`SET TRANSACTION READ ONLY`, keys.businessOf(keyHash))
      )
      assert.isTrue(Option.isSome(found))
      const locked = yield* newKey()
      const beside = yield* sql.withTransaction(
        Effect.andThen(
          sql`SELECT FROM api_keys WHERE key_hash = ${locked.keyHash} FOR UPDATE`,
          Effect.updateContext(keys.businessOf(locked.keyHash), (context: Context.Context<never>) =>
            Context.omit(sql.transactionService)(context)
          )
        )
      )
      assert.isTrue(Option.isSome(beside))
    })
  )

  it.effect("serves any number of concurrent uses", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeyRepository
      const { keyHash } = yield* newKey()
      const found = yield* atOnce(40, () => keys.businessOf(keyHash))
      assert.isTrue(found.every(Option.isSome))
    })
  )
})
