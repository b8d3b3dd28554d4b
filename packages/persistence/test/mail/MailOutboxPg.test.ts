import { type MailMessage, MailOutbox } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestPersistence, unique } from "../support/TestPersistence.ts"

const message = (): MailMessage => ({
  to: `${unique("ada")}@example.com`,
  subject: "Your code ✉",
  text: "Hello Ada,\n\n    ABCD-EFGH-JKMN-PQRS\n"
})

/** An empty outbox: the messages of other tests are deleted. */
const outbox = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM mail_outbox`
  return { sql, mail: yield* MailOutbox }
})

const due = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ seconds: number | null; last_error: string | null }>`
    SELECT extract(epoch FROM next_attempt_at - clock_timestamp())::float8 AS seconds, last_error FROM mail_outbox`
  return { seconds: row?.seconds ?? Infinity, lastError: row?.last_error }
})

const lapse = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE mail_outbox SET next_attempt_at = clock_timestamp() - interval '1 microsecond'`
})

layer(TestPersistence)("the outbox on PostgreSQL", (it) => {
  it.effect("encrypts messages: the row contains neither the recipient nor the text", () =>
    Effect.gen(function* () {
      const { mail, sql } = yield* outbox
      const posted = message()
      yield* Effect.andThen(mail.post(posted), mail.post(posted))
      const rows = yield* sql<{ text: string; sealed: string }>`
        SELECT o::text AS text, sealed_message AS sealed FROM mail_outbox o`
      for (const { text } of rows)
        for (const secret of [posted.to, "Ada", "code", "ABCD-EFGH"]) assert.notInclude(text, secret)
      assert.strictEqual(new Set(rows.map(({ sealed }) => sealed)).size, 2)
    })
  )

  it.effect(
    "gives a claimed message to no other sender for two minutes, then again with the attempt counted",
    () =>
      Effect.gen(function* () {
        const { mail } = yield* outbox
        yield* mail.post(message())
        assert.strictEqual((yield* mail.claim(10))[0]?.attempt, 1)
        assert.deepStrictEqual(yield* mail.claim(10), [])
        const { seconds } = yield* due
        assert.isTrue(seconds > 100 && seconds <= 120, String(seconds))
        yield* lapse
        assert.strictEqual((yield* mail.claim(10))[0]?.attempt, 2)
      })
  )

  it.effect("returns a message that cannot be decrypted as undefined, together with the others", () =>
    Effect.gen(function* () {
      const { mail, sql } = yield* outbox
      const posted = message()
      yield* mail.post(message())
      yield* sql`UPDATE mail_outbox SET sealed_message = 'v1.b3RoZXI'`
      yield* mail.post(posted)
      const claimed = yield* mail.claim(10)
      assert.sameDeepMembers(
        claimed.map((one) => one.message),
        [undefined, posted]
      )
    })
  )

  it.effect("postpones a message by a number of seconds and stores the reason", () =>
    Effect.gen(function* () {
      const { mail } = yield* outbox
      yield* mail.post(message())
      const [claimed] = yield* mail.claim(1)
      yield* mail.postpone(claimed?.mailId ?? 0, 3600, "greylisted")
      const { lastError, seconds } = yield* due
      assert.isTrue(seconds > 3580 && seconds <= 3600, String(seconds))
      assert.strictEqual(lastError, "greylisted")
      assert.deepStrictEqual(yield* mail.claim(10), [])
      yield* lapse
      assert.strictEqual((yield* mail.claim(10))[0]?.attempt, 2)
    })
  )
})
