/** The contract of `ApiKeyRepository`. */
import { ApiKeyRepository, maxKeysPerBusiness } from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Exit, Option } from "effect"
import { atOnce, contract, unique } from "./Contract.ts"
import { newBusiness, newUser, now } from "./Given.ts"

const newKey = Effect.map(newUser, (createdBy) => ({
  keyHash: unique("hash"),
  maskedKey: unique("lvk_"),
  createdBy,
  createdAt: now
}))

export const apiKeyRepository = contract("an API key", (it) => {
  it.effect("stands for its business until it is removed", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeyRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const key = yield* newKey
      yield* keys.insert(business, key)
      const found = Option.getOrThrow(yield* keys.businessOf(key.keyHash))
      assert.deepInclude(found, { business_id: business, status: "A", timezone: "UTC" })
      const another = yield* newKey
      yield* keys.insert(other, another)
      const hashes = [key.keyHash, unique("hash"), another.keyHash, key.keyHash]
      assert.deepStrictEqual(
        new Map((yield* keys.businessesOf(hashes)).map(({ business, keyHash }) => [keyHash, business])),
        new Map([
          [key.keyHash, found],
          [another.keyHash, { ...found, ...Option.getOrThrow(yield* keys.businessOf(another.keyHash)) }]
        ])
      )
      assert.deepStrictEqual(yield* keys.businessesOf([]), [])
      assert.isFalse(yield* keys.remove(other, key.keyHash))
      assert.isTrue(yield* keys.remove(business, key.keyHash))
      assert.deepStrictEqual(yield* keys.businessOf(key.keyHash), Option.none())
      assert.isFalse(yield* keys.remove(business, key.keyHash))
    })
  )

  it.effect("is listed, the newest first", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeyRepository
      const business = yield* newBusiness
      const [first, second] = [yield* newKey, yield* newKey]
      const later = DateTime.add(now, { seconds: 1 })
      yield* keys.insert(business, first)
      yield* keys.insert(business, { ...second, createdAt: later })
      assert.deepStrictEqual(yield* keys.list(business), [
        { masked_key: second.maskedKey, created_at: later, last_used_at: null },
        { masked_key: first.maskedKey, created_at: now, last_used_at: null }
      ])
    })
  )

  it.effect("is refused beyond the limit, also under concurrent inserts, until another one is removed", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeyRepository
      const business = yield* newBusiness
      const user = yield* newUser
      const key = { maskedKey: "lvk_", createdBy: user, createdAt: now }
      const first = unique("hash")
      yield* keys.insert(business, { ...key, keyHash: first })
      const insert = Effect.suspend(() => keys.insert(business, { ...key, keyHash: unique("hash") }))
      const exits = yield* atOnce(maxKeysPerBusiness + 2, () => Effect.exit(insert))
      assert.lengthOf(exits.filter(Exit.isSuccess), maxKeysPerBusiness - 1)
      assert.isFalse(exits.some(Exit.hasDies))
      assert.lengthOf(yield* keys.list(business), maxKeysPerBusiness)
      assert.strictEqual((yield* Effect.flip(insert))._tag, "Conflict")
      assert.isTrue(yield* keys.remove(business, first))
      yield* insert
    })
  )
})
