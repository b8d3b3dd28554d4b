import { assert, describe, it } from "@effect/vitest"
import {
  BusinessId,
  LetterRepository,
  Mailer,
  MailOutbox,
  MailRefused,
  MailSender,
  MessageChannels,
  noRecipient,
  PlatformSettings,
  retryDelayAfter,
  WorkNotifier
} from "@livery/domain"
import { Memory, Store } from "@livery/memory"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { addBusiness } from "../support/Businesses.ts"

const message = { to: "zoe@example.com", subject: "Hello", text: "Code" }

/** A running sender over the outbox in memory. A message to `sealed` cannot be decrypted. */
const post = Effect.gen(function* () {
  const store = Store.make()
  const attempts: Array<readonly [mailId: number, second: number]> = []
  const waits: Array<number> = []
  const faults = { claims: 0, refusals: 0, notes: 0, claimed: 0, letters: 0 }
  const seconds = Effect.map(Clock.currentTimeMillis, (now) => now / 1000)
  const away = Effect.die(new Error("the database is away"))

  const Storage = Memory.layerOn(Layer.succeed(Store, store))
  const Outbox = Layer.effect(
    MailOutbox,
    Effect.map(MailOutbox, (outbox) =>
      MailOutbox.of({
        ...outbox,
        claim: (limit) =>
          Effect.suspend(() => {
            faults.claimed++
            if (faults.claims-- > 0) return away
            return Effect.map(outbox.claim(limit), (claimed) =>
              claimed.map((it) => (it.message?.to === "sealed" ? { ...it, message: undefined } : it))
            )
          }),
        sent: (mailId) => Effect.suspend(() => (faults.notes-- > 0 ? away : outbox.sent(mailId))),
        postpone: (mailId, wait, reason) =>
          Effect.suspend(() => {
            waits.push(wait)
            return outbox.postpone(mailId, wait, reason)
          })
      })
    )
  ).pipe(Layer.provide(Storage))
  const Letters = Layer.effect(
    LetterRepository,
    Effect.map(LetterRepository, (letters) =>
      LetterRepository.of({
        ...letters,
        sent: (businessId, letter) =>
          Effect.suspend(() => (faults.letters-- > 0 ? away : letters.sent(businessId, letter)))
      })
    )
  ).pipe(Layer.provide(Storage))
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
  const Channels = Layer.succeed(
    MessageChannels,
    MessageChannels.of({
      send: () => Effect.die(new Error("there is no other channel")),
      note: () => Effect.void
    })
  )
  const notifier = WorkNotifier.layer
  const settings = PlatformSettings.layer.pipe(Layer.provide(Storage))
  const context = yield* Layer.build(
    Layer.merge(
      MailSender.layer.pipe(
        Layer.provide(
          Layer.mergeAll(Outbox, Letters, Server, Channels, notifier, settings).pipe(
            Layer.provideMerge(Storage)
          )
        )
      ),
      notifier
    )
  )
  yield* TestClock.adjust(0)
  return {
    store,
    /** Stores the letter of the kind `invoice` about a number. */
    putLetter: (business_id: BusinessId, reference: string) => {
      const mail_id = store.mail.next()
      store.mail.set(mail_id, {
        mail_id,
        message: { ...message, business_id, letter: { kind: "invoice", reference } },
        postedAt: 0,
        attempt: 0,
        nextAttemptAt: 0,
        lastError: null
      })
    },
    /** The messages in the outbox. */
    kept: () => store.mail.where(),
    attempts,
    waits,
    faults,
    /** Stores messages without a notification. */
    put: (count = 1, to = message.to) => {
      for (let n = 0; n < count; n++) {
        const mail_id = store.mail.next()
        store.mail.set(mail_id, {
          mail_id,
          message: { ...message, to },
          postedAt: 0,
          attempt: 0,
          nextAttemptAt: 0,
          lastError: null
        })
      }
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
  it.effect("keeps a letter to a customer as failed after its last attempt, and gives the credit back", () =>
    Effect.gen(function* () {
      const { faults, kept, notify, putLetter, store } = yield* post
      const business = BusinessId.make(1)
      addBusiness(store, 1)
      store.businesses.change(business, { email_credits: 3 })
      faults.refusals = 1_000
      putLetter(business, "INV-000001")
      yield* notify
      assert.deepStrictEqual([kept().length, store.failedLetters.where().length], [1, 0])
      yield* TestClock.adjust("3 days")
      assert.deepStrictEqual([kept().length, store.businesses.get(business)?.email_credits], [0, 4])
      const [letter] = store.failedLetters.where()
      assert.deepInclude(letter, { kind: "invoice", reference: "INV-000001", reason: "try later" })
    })
  )

  it.effect("sends at once when it is notified", () =>
    Effect.gen(function* () {
      const { attempts, kept, put, notify } = yield* post
      put()
      yield* notify
      assert.deepStrictEqual([attempts.length, kept().length], [1, 0])
    })
  )

  it.effect("drops a message to noRecipient", () =>
    Effect.gen(function* () {
      const { attempts, kept, put, notify } = yield* post
      put(1, noRecipient)
      yield* notify
      assert.deepStrictEqual([attempts.length, kept().length], [0, 0])
    })
  )

  it.effect("finds a message within five seconds if the notification was lost", () =>
    Effect.gen(function* () {
      const { attempts, kept, put } = yield* post
      put()
      yield* TestClock.adjust("4999 millis")
      assert.isEmpty(attempts)
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual([attempts.length, kept().length], [1, 0])
    })
  )

  it.effect("sends any number of messages without a pause between batches", () =>
    Effect.gen(function* () {
      const { attempts, kept, put, notify } = yield* post
      put(95)
      yield* notify
      // Far less than the five seconds between polls.
      for (let turn = 0; turn < 20; turn++) yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual([attempts.length, kept().length], [95, 0])
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
        // The next poll sees the end of each wait, at most five seconds late.
        assert.isAtMost(second, (floors[index] ?? 0) + 5 * index)
      })
      assert.isEmpty(kept())
    })
  )

  it.effect("drops a message after 28 attempts, about a day", () =>
    Effect.gen(function* () {
      const { attempts, faults, kept, put, notify, waits } = yield* post
      faults.refusals = 1000
      put()
      yield* notify
      for (let hour = 0; hour < 30; hour++) yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual([attempts.length, waits.length, kept().length], [28, 27, 0])
    })
  )

  it.effect("postpones a message that cannot be decrypted, and sends the others", () =>
    Effect.gen(function* () {
      const { attempts, kept, put, notify, waits } = yield* post
      put(1, "sealed")
      put(3)
      yield* notify
      assert.deepStrictEqual([attempts.length, kept().length, waits], [3, 1, [60]])
      for (let hour = 0; hour < 30; hour++) yield* TestClock.adjust("1 hour")
      assert.isEmpty(kept())
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
      assert.deepStrictEqual([attempts.length, kept().length], [1, 0])
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

  it.effect("does not send a letter again because its business does not respond, and sends the others", () =>
    Effect.gen(function* () {
      const { attempts, faults, kept, put, putLetter, notify, store } = yield* post
      addBusiness(store, 1)
      faults.letters = 1
      putLetter(BusinessId.make(1), "INV-000001")
      put(8)
      yield* notify
      assert.deepStrictEqual([attempts.length, kept().length], [9, 0])
      yield* TestClock.adjust("130 seconds")
      assert.strictEqual(attempts.length, 9)
    })
  )

  it.effect("sends the other messages of a batch once if one could not be deleted", () =>
    Effect.gen(function* () {
      const { attempts, faults, kept, put, notify } = yield* post
      faults.notes = 1
      put(8)
      yield* notify
      assert.deepStrictEqual([attempts.length, kept().length], [8, 1])
      yield* TestClock.adjust("130 seconds")
      assert.deepStrictEqual([attempts.length, kept().length], [9, 0])
    })
  )

  it.effect("sends a message again if it could not be deleted", () =>
    Effect.gen(function* () {
      const { attempts, faults, kept, put, notify } = yield* post
      faults.notes = 1
      put()
      yield* notify
      assert.deepStrictEqual([attempts.length, kept().length], [1, 1])
      yield* TestClock.adjust("130 seconds")
      assert.deepStrictEqual([attempts.length, kept().length], [2, 0])
    })
  )
})

it("doubles the delay from a minute to an hour, until the days of the setting are over", () => {
  const attemptsIn = (days: number) =>
    Array.from({ length: MailSender.maximumMailAttempts(days) - 1 }, (_, index) => index + 1)
  const attempts = attemptsIn(1)
  const waits = attempts.map(retryDelayAfter)
  assert.deepStrictEqual(waits.slice(0, 8), [60, 120, 240, 480, 960, 1920, 3600, 3600])
  const hours = waits.reduce((sum, wait) => sum + wait, 0) / 3600
  assert.isAbove(hours, 20)
  assert.isBelow(hours, 26)
  assert.lengthOf(attemptsIn(8), attempts.length + 7 * 24)
})
