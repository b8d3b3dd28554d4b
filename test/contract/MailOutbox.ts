/** The contract of `MailOutbox`. */
import { type MailMessage, MailOutbox, Transaction, WorkNotifier } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { atOnce, contract, unique } from "./Contract.ts"

const message = (): MailMessage => ({
  to: `${unique("ada")}@example.com`,
  subject: "Your code ✉",
  text: "Hello Ada,\n\n    ABCD-EFGH-JKMN-PQRS\n"
})

/** An empty outbox: the messages of other tests are sent. */
const emptyOutbox = Effect.gen(function* () {
  const mail = yield* MailOutbox
  const sendDue: Effect.Effect<void> = Effect.flatMap(mail.claim(100), (claimed) =>
    Effect.forEach(claimed, ({ mailId }) => mail.sent(mailId), { discard: true })
  )
  yield* sendDue
  return mail
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

export const mailOutbox = contract("the outbox", (it) => {
  it.effect("returns a message as it was posted, as the first attempt", () =>
    Effect.gen(function* () {
      const mail = yield* emptyOutbox
      const posted = message()
      yield* mail.post(posted)
      const [claimed, ...others] = yield* mail.claim(10)
      assert.deepStrictEqual([claimed?.attempt, claimed?.message], [1, posted])
      assert.deepStrictEqual(others, [])
    })
  )

  it.effect(
    "returns a message with the same id and date at each attempt, and each message with its own id",
    () =>
      Effect.gen(function* () {
        const mail = yield* emptyOutbox
        yield* Effect.andThen(mail.post(message()), mail.post(message()))
        const first = yield* mail.claim(10)
        for (const { mailId } of first) yield* mail.postpone(mailId, 0, "unavailable")
        const stamps = (claimed: typeof first) =>
          claimed.toSorted((one, other) => one.mailId - other.mailId).map(({ stamp }) => stamp)
        assert.deepStrictEqual(stamps(yield* mail.claim(10)), stamps(first))
        const ids = first.map(({ stamp }) => stamp.id)
        assert.lengthOf(new Set(ids), 2)
        for (const id of ids) assert.match(id, /^[\da-z-]+$/u)
      })
  )

  it.effect("counts the messages that are not sent, and the age of the oldest", () =>
    Effect.gen(function* () {
      const mail = yield* emptyOutbox
      const before = (yield* mail.backlog).waiting
      yield* Effect.andThen(mail.post(message()), mail.post(message()))
      const { oldestSeconds, waiting } = yield* mail.backlog
      assert.strictEqual(waiting, before + 2)
      assert.isAtLeast(oldestSeconds, 0)
      yield* emptyOutbox
      assert.strictEqual((yield* mail.backlog).waiting, before)
    })
  )

  it.effect("returns the attachments of a message byte for byte", () =>
    Effect.gen(function* () {
      const mail = yield* emptyOutbox
      const content = Uint8Array.from({ length: 1000 }, (_, index) => index % 256)
      const attachments = [{ file_name: "INV-000001.pdf", content_type: "application/pdf", content }]
      const posted = { ...message(), reply_to: "cars@example.com", attachments }
      yield* mail.post(posted)
      const [claimed] = yield* mail.claim(10)
      assert.deepStrictEqual(claimed?.message, posted)
    })
  )

  it.effect("gives each message to one of four concurrent senders, and loses none", () =>
    Effect.gen(function* () {
      const mail = yield* emptyOutbox
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
    })
  )

  it.effect("gives a claimed message to no other sender during its lease", () =>
    Effect.gen(function* () {
      const mail = yield* emptyOutbox
      yield* mail.post(message())
      assert.lengthOf(yield* mail.claim(10), 1)
      assert.deepStrictEqual(yield* mail.claim(10), [])
    })
  )

  it.effect("returns at most the limit, the messages that have waited longest first", () =>
    Effect.gen(function* () {
      const mail = yield* emptyOutbox
      const posted = [message(), message(), message()]
      for (const one of posted) yield* mail.post(one)
      const first = yield* mail.claim(2)
      const rest = yield* mail.claim(2)
      assert.deepStrictEqual(
        [first.length, ...rest.map(({ message }) => message?.to)],
        [2, posted.at(-1)?.to]
      )
    })
  )

  it.effect("returns a postponed message again after its time, with the attempt counted", () =>
    Effect.gen(function* () {
      const mail = yield* emptyOutbox
      yield* mail.post(message())
      const [claimed] = yield* mail.claim(1)
      yield* mail.postpone(claimed?.mailId ?? 0, 3600, "greylisted")
      assert.deepStrictEqual(yield* mail.claim(10), [])
      yield* mail.postpone(claimed?.mailId ?? 0, 0, "greylisted")
      assert.strictEqual((yield* mail.claim(10))[0]?.attempt, 2)
    })
  )

  it.effect("deletes a sent message and no other one", () =>
    Effect.gen(function* () {
      const mail = yield* emptyOutbox
      yield* Effect.andThen(mail.post(message()), mail.post(message()))
      const [first, second] = yield* mail.claim(10)
      yield* mail.sent(first?.mailId ?? 0)
      for (const one of [first, second]) yield* mail.postpone(one?.mailId ?? 0, 0, "unavailable")
      assert.deepStrictEqual(
        (yield* mail.claim(10)).map(({ mailId }) => mailId),
        [second?.mailId]
      )
    })
  )

  it.effect(
    "notifies the sender once the change has committed, and stores nothing if it is rolled back",
    () =>
      Effect.gen(function* () {
        const mail = yield* emptyOutbox
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

  it.effect(
    "counts as many messages of a key as its limit allows within any hour, and says when the next one may follow",
    () =>
      Effect.gen(function* () {
        const { count } = yield* MailOutbox
        const key = unique("key")
        assert.strictEqual(yield* count(key, 3), 0)
        yield* TestClock.adjust("30 minutes")
        assert.strictEqual(yield* count(key, 3), 0)
        assert.strictEqual(yield* count(key, 3), 0)
        assert.strictEqual(yield* count(key, 3), 1800)
        yield* TestClock.adjust("30 minutes")
        assert.strictEqual(yield* count(key, 3), 0)
        assert.strictEqual(yield* count(key, 3), 1800)
        assert.strictEqual(yield* count(unique("key"), 3), 0)
      })
  )

  it.effect("counts no message that was counted before the clock was set back", () =>
    Effect.gen(function* () {
      const { count } = yield* MailOutbox
      const key = unique("key")
      yield* TestClock.adjust("10 hours")
      assert.strictEqual(yield* count(key, 1), 0)
      yield* TestClock.setTime(3_600_000)
      assert.strictEqual(yield* count(key, 1), 0)
      assert.strictEqual(yield* count(key, 1), 3600)
    })
  )

  it.effect("counts exactly in concurrent transactions, and not in one that is rolled back", () =>
    Effect.gen(function* () {
      const { count } = yield* MailOutbox
      const transaction = yield* Transaction
      const key = unique("key")
      yield* Effect.flip(transaction.run(Effect.andThen(count(key, 5), Effect.fail("rolled back"))))
      const waits = yield* atOnce(12, () => transaction.run(count(key, 5)))
      assert.lengthOf(
        waits.filter((wait) => wait === 0),
        5
      )
    })
  )
})
