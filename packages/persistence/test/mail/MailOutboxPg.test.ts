import { type MailMessage, MailOutbox, Transaction, WorkNotifier } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { atOnce, TestPersistence, unique } from "../support/TestPersistence.ts"

const message = (): MailMessage => ({
  to: `${unique("ada")}@example.com`,
  subject: "Your code ✉",
  text: "Hello Ada,\n\n    ABCD-EFGH-JKMN-PQRS\n"
})

/** An empty outbox: what other tests left is gone. */
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

/** Whether the sender has been notified since the last call. */
const notified = Effect.gen(function* () {
  const notifier = yield* WorkNotifier
  const waiting = yield* Effect.forkChild(notifier.wait("mail", Duration.infinity))
  yield* Effect.yieldNow
  yield* Effect.yieldNow
  const isNotified = waiting.pollUnsafe() !== undefined
  yield* Fiber.interrupt(waiting)
  return isNotified
})

layer(TestPersistence)("the outbox", (it) => {
  it.effect("returns a message as it was posted, as the first attempt", () =>
    Effect.gen(function* () {
      const { mail } = yield* outbox
      const posted = message()
      yield* mail.post(posted)
      const [claimed, ...others] = yield* mail.claim(10)
      assert.deepStrictEqual([claimed?.attempt, claimed?.message], [1, posted])
      assert.deepStrictEqual(others, [])
    })
  )

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

  it.effect("gives each message to one of four concurrent senders, and loses none", () =>
    Effect.gen(function* () {
      const { mail } = yield* outbox
      const posted = yield* atOnce(60, () => {
        const one = message()
        return Effect.as(mail.post(one), one.to)
      })
      const claimAll: Effect.Effect<ReadonlyArray<string>> = Effect.gen(function* () {
        const claimed = yield* mail.claim(4)
        assert.isAtMost(claimed.length, 4)
        if (claimed.length === 0) return []
        return [...claimed.map(({ message }) => message?.to ?? ""), ...(yield* claimAll)]
      })
      const batches = yield* atOnce(4, () => claimAll)
      assert.deepStrictEqual(batches.flat().sort(), posted.toSorted())
      assert.isAbove(batches.filter((messages) => messages.length > 0).length, 1)
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

  it.effect("returns the messages that have waited longest first, and at most the limit", () =>
    Effect.gen(function* () {
      const { mail, sql } = yield* outbox
      const posted = [message(), message(), message()]
      for (const one of posted) yield* mail.post(one)
      yield* sql`UPDATE mail_outbox SET next_attempt_at = clock_timestamp() - make_interval(secs => mail_id)`
      const order: Array<string> = []
      for (let left = posted.length; left > 0; left--) {
        const claimed = yield* mail.claim(1)
        assert.lengthOf(claimed, 1)
        order.push(...claimed.map(({ message }) => message?.to ?? ""))
      }
      assert.deepStrictEqual(order, posted.map(({ to }) => to).toReversed())
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

  it.effect("deletes a sent message and no other one", () =>
    Effect.gen(function* () {
      const { mail } = yield* outbox
      yield* Effect.andThen(mail.post(message()), mail.post(message()))
      const [first, second] = yield* mail.claim(10)
      yield* mail.sent(first?.mailId ?? 0)
      yield* lapse
      assert.deepStrictEqual(
        (yield* mail.claim(10)).map(({ mailId }) => mailId),
        [second?.mailId]
      )
    })
  )

  it.effect("postpones a message by so many seconds and keeps the reason", () =>
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

  it.effect(
    "notifies the sender once the change has committed, and stores nothing if it is rolled back",
    () =>
      Effect.gen(function* () {
        const { mail } = yield* outbox
        const transaction = yield* Transaction
        // Clears an earlier notification.
        yield* notified
        yield* Effect.ignore(transaction.run(Effect.andThen(mail.post(message()), Effect.fail("no"))))
        assert.isFalse(yield* notified)
        assert.deepStrictEqual(yield* mail.claim(10), [])
        yield* transaction.run(
          Effect.gen(function* () {
            yield* mail.post(message())
            assert.isFalse(yield* notified)
          })
        )
        assert.isTrue(yield* notified)
        assert.lengthOf(yield* mail.claim(10), 1)
      })
  )
})
