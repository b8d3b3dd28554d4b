import { assert, describe, it } from "@effect/vitest"
import {
  type ClaimedMessage,
  MailSender,
  Mailer,
  MailOutbox,
  MailRefused,
  noRecipient,
  WorkNotifier
} from "@livery/domain"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"

interface Kept {
  readonly mailId: number
  readonly to: string
  attempt: number
  dueAt: number
}

const message = { to: "zoe@example.com", subject: "Hello", text: "Code" }

/** A sender at work over an outbox in memory; a claimed message is not claimed again for two minutes. */
const post = Effect.gen(function* () {
  const kept: Array<Kept> = []
  const attempts: Array<readonly [mailId: number, second: number]> = []
  const waits: Array<number> = []
  const faults = { claims: 0, refusals: 0, notes: 0, claimed: 0 }
  const seconds = Effect.map(Clock.currentTimeMillis, (now) => now / 1000)
  const forget = (mailId: number) =>
    kept.splice(
      kept.findIndex((it) => it.mailId === mailId),
      1
    )

  const Outbox = Layer.succeed(
    MailOutbox,
    MailOutbox.of({
      count: () => Effect.succeed(0),
      post: () => Effect.void,
      claim: (limit) =>
        Effect.gen(function* () {
          faults.claimed++
          if (faults.claims-- > 0) return yield* Effect.die(new Error("the database is away"))
          const now = yield* seconds
          const due = kept.filter(({ dueAt }) => dueAt <= now).slice(0, limit)
          return due.map((it): ClaimedMessage => {
            it.attempt++
            it.dueAt = now + 120
            const opened = it.to === "sealed" ? undefined : { ...message, to: it.to }
            return { mailId: it.mailId, attempt: it.attempt, message: opened }
          })
        }),
      sent: (mailId) =>
        Effect.suspend(() => {
          if (faults.notes-- > 0) return Effect.die(new Error("the database is away"))
          forget(mailId)
          return Effect.void
        }),
      postpone: (mailId, wait) =>
        Effect.map(seconds, (now) => {
          waits.push(wait)
          for (const it of kept) if (it.mailId === mailId) it.dueAt = now + wait
        })
    })
  )
  const Server = Layer.succeed(
    Mailer,
    Mailer.of({
      send: () =>
        Effect.gen(function* () {
          attempts.push([attempts.length + 1, yield* seconds])
          if (faults.refusals-- > 0) return yield* new MailRefused({ reason: "try later" })
        })
    })
  )
  const notifier = WorkNotifier.layer
  const context = yield* Layer.build(
    Layer.merge(MailSender.layer.pipe(Layer.provide(Layer.mergeAll(Outbox, Server, notifier))), notifier)
  )
  yield* TestClock.adjust(0)
  return {
    kept,
    attempts,
    waits,
    faults,
    put: (count = 1, to = message.to) => {
      for (let n = 0; n < count; n++) kept.push({ mailId: kept.length, to, attempt: 0, dueAt: 0 })
    },
    notify: Effect.andThen(
      Effect.provide(
        WorkNotifier.use((it) => it.notify("mail")),
        context
      ),
      TestClock.adjust(0)
    ),
    seconds: () => attempts.map(([, second]) => second)
  }
})

describe("the sender", () => {
  it.effect("sends at once when it is notified", () =>
    Effect.gen(function* () {
      const { attempts, kept, put, notify } = yield* post
      put()
      yield* notify
      assert.deepStrictEqual([attempts.length, kept.length], [1, 0])
    })
  )

  it.effect("drops a message to noRecipient", () =>
    Effect.gen(function* () {
      const { attempts, kept, put, notify } = yield* post
      put(1, noRecipient)
      yield* notify
      assert.deepStrictEqual([attempts.length, kept.length], [0, 0])
    })
  )

  it.effect("finds a message within five seconds if the notification was lost", () =>
    Effect.gen(function* () {
      const { attempts, kept, put } = yield* post
      put()
      yield* TestClock.adjust("4999 millis")
      assert.isEmpty(attempts)
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual([attempts.length, kept.length], [1, 0])
    })
  )

  it.effect("sends any number of messages without a pause between batches", () =>
    Effect.gen(function* () {
      const { attempts, kept, put, notify } = yield* post
      put(95)
      yield* notify
      // Far less than the five seconds between looks.
      for (let turn = 0; turn < 20; turn++) yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual([attempts.length, kept.length], [95, 0])
    })
  )

  it.effect("postpones a refused message by a minute, then twice as long each time", () =>
    Effect.gen(function* () {
      const { faults, kept, put, notify, seconds, waits } = yield* post
      faults.refusals = 5
      put()
      yield* notify
      for (let minute = 0; minute < 35; minute++) yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(waits, [60, 120, 240, 480, 960])
      const floors = [0, 60, 180, 420, 900, 1860]
      assert.strictEqual(seconds().length, floors.length)
      seconds().forEach((second, index) => {
        assert.isAtLeast(second, floors[index] ?? 0)
        // Each wait is found out at the next look, at most five seconds late.
        assert.isAtMost(second, (floors[index] ?? 0) + 5 * index)
      })
      assert.isEmpty(kept)
    })
  )

  it.effect("drops a message after 28 attempts, about a day", () =>
    Effect.gen(function* () {
      const { attempts, faults, kept, put, notify, waits } = yield* post
      faults.refusals = 1000
      put()
      yield* notify
      for (let hour = 0; hour < 30; hour++) yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual([attempts.length, waits.length, kept.length], [28, 27, 0])
    })
  )

  it.effect("postpones a message that cannot be decrypted, and sends the others", () =>
    Effect.gen(function* () {
      const { attempts, kept, put, notify, waits } = yield* post
      put(1, "sealed")
      put(3)
      yield* notify
      assert.deepStrictEqual([attempts.length, kept.length, waits], [3, 1, [60]])
      for (let hour = 0; hour < 30; hour++) yield* TestClock.adjust("1 hour")
      assert.isEmpty(kept)
    })
  )

  it.effect("survives an outbox that dies, and continues when it is back", () =>
    Effect.gen(function* () {
      const { attempts, faults, kept, put, notify } = yield* post
      faults.claims = 3
      put()
      yield* notify
      assert.isEmpty(attempts)
      yield* TestClock.adjust("4 seconds")
      assert.isEmpty(attempts)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual([attempts.length, kept.length], [1, 0])
    })
  )

  it.effect("polls every two seconds while the outbox fails", () =>
    Effect.gen(function* () {
      const { faults, notify } = yield* post
      faults.claims = 1000
      faults.claimed = 0
      yield* notify
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual(faults.claimed, 31)
    })
  )

  it.effect("sends a message again if it could not be deleted", () =>
    Effect.gen(function* () {
      const { attempts, faults, kept, put, notify } = yield* post
      faults.notes = 1
      put()
      yield* notify
      assert.deepStrictEqual([attempts.length, kept.length], [1, 1])
      yield* TestClock.adjust("130 seconds")
      assert.deepStrictEqual([attempts.length, kept.length], [2, 0])
    })
  )
})

it("doubles the delay from a minute to an hour", () => {
  const attempts = Array.from({ length: MailSender.maximumMailAttempts - 1 }, (_, index) => index + 1)
  const waits = attempts.map(MailSender.mailDelayAfter)
  assert.deepStrictEqual(waits.slice(0, 8), [60, 120, 240, 480, 960, 1920, 3600, 3600])
  const hours = waits.reduce((sum, wait) => sum + wait, 0) / 3600
  assert.isAbove(hours, 20)
  assert.isBelow(hours, 26)
})
