import { type Letter, MailOutbox, Transaction, WorkNotifier } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { atOnce, Ground, unique } from "../platform/Ground.ts"

const letter = (): Letter => ({
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

/** Whether the courier's bell has been rung since it was last heard. */
const rung = Effect.gen(function* () {
  const notifier = yield* WorkNotifier
  const waiting = yield* Effect.forkChild(notifier.wait("mail", Duration.infinity))
  yield* Effect.yieldNow
  yield* Effect.yieldNow
  const heard = waiting.pollUnsafe() !== undefined
  yield* Fiber.interrupt(waiting)
  return heard
})

layer(Ground)("the outbox", (it) => {
  it.effect("gives a letter as it was posted, as the first attempt", () =>
    Effect.gen(function* () {
      const { mail } = yield* outbox
      const posted = letter()
      yield* mail.post(posted)
      const [claimed, ...others] = yield* mail.claim(10)
      assert.deepStrictEqual([claimed?.attempt, claimed?.letter], [1, posted])
      assert.deepStrictEqual(others, [])
    })
  )

  it.effect("keeps letters sealed: the row tells neither who nor what", () =>
    Effect.gen(function* () {
      const { mail, sql } = yield* outbox
      const posted = letter()
      yield* Effect.andThen(mail.post(posted), mail.post(posted))
      const rows = yield* sql<{ text: string; sealed: string }>`
        SELECT o::text AS text, sealed_letter AS sealed FROM mail_outbox o`
      for (const { text } of rows)
        for (const told of [posted.to, "Ada", "code", "ABCD-EFGH"]) assert.notInclude(text, told)
      assert.strictEqual(new Set(rows.map(({ sealed }) => sealed)).size, 2)
    })
  )

  it.effect("of four couriers at once gives no two the same letter, and forgets none", () =>
    Effect.gen(function* () {
      const { mail } = yield* outbox
      const posted = yield* atOnce(60, () => {
        const one = letter()
        return Effect.as(mail.post(one), one.to)
      })
      const courier: Effect.Effect<ReadonlyArray<string>> = Effect.gen(function* () {
        const claimed = yield* mail.claim(4)
        assert.isAtMost(claimed.length, 4)
        if (claimed.length === 0) return []
        return [...claimed.map(({ letter }) => letter?.to ?? ""), ...(yield* courier)]
      })
      const carried = yield* atOnce(4, () => courier)
      assert.deepStrictEqual(carried.flat().sort(), posted.toSorted())
      assert.isAbove(carried.filter((letters) => letters.length > 0).length, 1)
    })
  )

  it.effect("gives a claimed letter to nobody else for two minutes, then again, counted", () =>
    Effect.gen(function* () {
      const { mail } = yield* outbox
      yield* mail.post(letter())
      assert.strictEqual((yield* mail.claim(10))[0]?.attempt, 1)
      assert.deepStrictEqual(yield* mail.claim(10), [])
      const { seconds } = yield* due
      assert.isTrue(seconds > 100 && seconds <= 120, String(seconds))
      yield* lapse
      assert.strictEqual((yield* mail.claim(10))[0]?.attempt, 2)
    })
  )

  it.effect("gives the letters that have waited longest first, and no more than asked for", () =>
    Effect.gen(function* () {
      const { mail, sql } = yield* outbox
      const posted = [letter(), letter(), letter()]
      for (const one of posted) yield* mail.post(one)
      yield* sql`UPDATE mail_outbox SET next_attempt_at = clock_timestamp() - make_interval(secs => mail_id)`
      const order: Array<string> = []
      for (let left = posted.length; left > 0; left--) {
        const claimed = yield* mail.claim(1)
        assert.lengthOf(claimed, 1)
        order.push(...claimed.map(({ letter }) => letter?.to ?? ""))
      }
      assert.deepStrictEqual(order, posted.map(({ to }) => to).toReversed())
    })
  )

  it.effect("gives a letter that was sealed under another secret unopened, beside the others", () =>
    Effect.gen(function* () {
      const { mail, sql } = yield* outbox
      const posted = letter()
      yield* mail.post(letter())
      yield* sql`UPDATE mail_outbox SET sealed_letter = 'v1.b3RoZXI'`
      yield* mail.post(posted)
      const claimed = yield* mail.claim(10)
      assert.sameDeepMembers(
        claimed.map((one) => one.letter),
        [undefined, posted]
      )
    })
  )

  it.effect("forgets what was sent, and nothing else", () =>
    Effect.gen(function* () {
      const { mail } = yield* outbox
      yield* Effect.andThen(mail.post(letter()), mail.post(letter()))
      const [first, second] = yield* mail.claim(10)
      yield* mail.sent(first?.mailId ?? 0)
      yield* lapse
      assert.deepStrictEqual(
        (yield* mail.claim(10)).map(({ mailId }) => mailId),
        [second?.mailId]
      )
    })
  )

  it.effect("keeps what was postponed for so many seconds, with the reason", () =>
    Effect.gen(function* () {
      const { mail } = yield* outbox
      yield* mail.post(letter())
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

  it.effect("wakes the courier once the change has committed; of one taken back it holds nothing", () =>
    Effect.gen(function* () {
      const { mail } = yield* outbox
      const transaction = yield* Transaction
      // Whatever was rung before.
      yield* rung
      yield* Effect.ignore(transaction.run(Effect.andThen(mail.post(letter()), Effect.fail("no"))))
      assert.isFalse(yield* rung)
      assert.deepStrictEqual(yield* mail.claim(10), [])
      yield* transaction.run(
        Effect.gen(function* () {
          yield* mail.post(letter())
          assert.isFalse(yield* rung)
        })
      )
      assert.isTrue(yield* rung)
      assert.lengthOf(yield* mail.claim(10), 1)
    })
  )
})
