import { MailOutbox } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { TestPersistence, unique } from "../support/TestPersistence.ts"

layer(TestPersistence)("the limit of emails", (it) => {
  it.effect("deletes the row of a key without a current count", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { count } = yield* MailOutbox
      const [old, recent] = [unique("key"), unique("key")]
      yield* count(old, 1)
      yield* TestClock.adjust("61 minutes")
      yield* count(recent, 1)
      assert.deepStrictEqual(yield* sql`SELECT key FROM mail_counts WHERE key IN (${old}, ${recent})`, [
        { key: recent }
      ])
    })
  )
})
