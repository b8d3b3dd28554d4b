import { assert, layer } from "@effect/vitest"
import {
  BusinessId,
  IdempotencyStore,
  leastResponseRetention,
  PersonalData,
  Transaction
} from "@livery/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { sweepKeys } from "../../src/platform/IdempotencyGenerations.ts"
import { newBusiness, TestPersistence } from "../support/TestPersistence.ts"

/** Stores the response of a business under a key. */
const respond = Effect.fnUntraced(function* (key: string, business_id: BusinessId | null) {
  const requests = yield* IdempotencyStore
  const transaction = yield* Transaction
  yield* transaction.run(
    Effect.gen(function* () {
      const { lease } = yield* requests.claim(key, leastResponseRetention)
      const response = JSON.stringify({ status: 201, body: "{}", headers: {} })
      yield* requests.save(key, lease, { business_id, content: "digest", response, parts: {} })
    })
  )
})

layer(TestPersistence)("the erasure of a person of a business", (it) => {
  it.effect("opens the stored responses of that business alone, also those of the previous generation", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const personal = yield* PersonalData
      const transaction = yield* Transaction
      const [own, other] = [BusinessId.make(yield* newBusiness()), BusinessId.make(yield* newBusiness())]
      yield* respond("of a previous generation", own)
      yield* respond("of another business", other)
      yield* sql`UPDATE table_generations SET started_at = started_at - interval '25 hours'
        WHERE table_name = 'idempotency_keys'`
      assert.strictEqual(yield* sweepKeys(1), 1)
      yield* respond("of this generation", own)
      const person = yield* personal.ofContact(own, { email: "ada@example.com", phone: null })
      const found = Effect.map(personal.documents("responses", person, "", 100), ({ documents }) =>
        documents.map(({ key }) => key)
      )
      assert.deepStrictEqual(yield* found, ["of a previous generation", "of this generation"])
      assert.strictEqual(yield* personal.size(person, 100), 2)
      // A repeated request moves its row to the current generation.
      yield* transaction.run(
        Effect.flatMap(IdempotencyStore, ({ claim }) =>
          claim("of a previous generation", leastResponseRetention)
        )
      )
      assert.deepStrictEqual(yield* found, ["of a previous generation", "of this generation"])
      yield* sql`UPDATE idempotency_keys SET owning_business_id = NULL WHERE key = 'of this generation'`
      assert.deepStrictEqual(yield* found, ["of a previous generation", "of this generation"])
    })
  )
})
