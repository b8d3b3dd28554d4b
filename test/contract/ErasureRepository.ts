/** The contract of `ErasureRepository`. */
import { type AcceptedErasure, ErasureRepository, Transaction } from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { at, atOnce, contract, unique } from "./Contract.ts"
import { newUser } from "./Given.ts"

const [began, ends, later] = [at("09:00:00"), at("09:02:00"), at("09:04:00")]

/** An erasure of a new account, which is not stored. */
const accepted = Effect.map(newUser, (user): AcceptedErasure => {
  const subject = `user:${user}`
  const person = {
    business_id: null,
    customer_ids: [],
    driver_ids: [],
    user_ids: [user],
    names: ["Ada"],
    emails: ["ada@example.com"],
    phones: []
  }
  return { key: `platform/${subject}`, person, subject, actor: "user:1", reason: "Ticket 4711" }
})

const lease = (until: DateTime.Utc) => ({ lease: unique("lease"), until })

const progress = { trips: { count: 100, after: "7" }, files: { count: 1, after: null } }

export const erasureRepository = contract("an accepted erasure", (it) => {
  it.effect("is known until it is complete, also after a process has stopped to work on it", () =>
    Effect.gen(function* () {
      const erasures = yield* ErasureRepository
      const transaction = yield* Transaction
      const erasure = yield* accepted
      assert.deepStrictEqual(yield* erasures.find(erasure.key), Option.none())
      const first = lease(ends)
      const held = yield* transaction.run(erasures.begin(erasure, first, began))
      assert.deepStrictEqual(held, { ...erasure, progress: {}, lease: first.lease, attempt: 0 })
      assert.deepStrictEqual(yield* erasures.find(erasure.key), Option.some(erasure.person))
      yield* transaction.run(Effect.andThen(erasures.lock(held), erasures.save(held, progress, ends)))
      const second = lease(later)
      const claimed = Option.getOrThrow(yield* erasures.claim(second, ends))
      assert.deepStrictEqual(claimed, { ...erasure, progress, lease: second.lease, attempt: 1 })
      yield* transaction.run(erasures.remove(claimed))
      assert.deepStrictEqual(yield* erasures.find(erasure.key), Option.none())
    })
  )

  it.effect("is continued by one process at a time, and by none while a lease lasts", () =>
    Effect.gen(function* () {
      const erasures = yield* ErasureRepository
      const held = yield* erasures.begin(yield* accepted, lease(ends), began)
      const before = DateTime.subtract(ends, { seconds: 1 })
      assert.deepStrictEqual(yield* erasures.claim(lease(later), before), Option.none())
      const claims = yield* atOnce(4, () => erasures.claim(lease(later), ends))
      const [claimed] = claims.flatMap(Option.toArray)
      assert.lengthOf(claims.filter(Option.isSome), 1)
      assert.isDefined(claimed)
      if (claimed === undefined) return
      yield* erasures.save(held, progress, ends)
      yield* erasures.postpone(held, began)
      yield* erasures.remove(held)
      assert.isFalse(yield* erasures.lock(held), "the lease of the first process has ended")
      assert.isTrue(yield* erasures.lock(claimed))
      assert.deepStrictEqual(yield* erasures.claim(lease(later), ends), Option.none())
      yield* erasures.remove(claimed)
    })
  )

  it.effect("that fails is continued later, after the others and with the number of claims", () =>
    Effect.gen(function* () {
      const erasures = yield* ErasureRepository
      const failing = yield* erasures.begin(yield* accepted, lease(began), began)
      const other = yield* erasures.begin(yield* accepted, lease(ends), began)
      const claim = (now: DateTime.Utc) => Effect.map(erasures.claim(lease(now), now), Option.getOrThrow)
      const first = yield* claim(began)
      assert.deepInclude(first, { key: failing.key, attempt: 1 })
      yield* erasures.postpone(first, later)
      const second = yield* claim(ends)
      assert.strictEqual(second.key, other.key)
      yield* erasures.remove(second)
      assert.deepStrictEqual(yield* erasures.claim(lease(later), ends), Option.none())
      const again = yield* claim(later)
      assert.deepInclude(again, { key: failing.key, attempt: 2 })
      yield* erasures.save(again, progress, later)
      assert.deepInclude(yield* claim(later), { progress, attempt: 1 }, "a window was erased since")
      yield* erasures.begin(first, lease(later), began)
    })
  )

  it.effect(
    "keeps its progress when the erasure of the same person is repeated, and the last process loses it",
    () =>
      Effect.gen(function* () {
        const erasures = yield* ErasureRepository
        const erasure = yield* accepted
        const held = yield* erasures.begin(erasure, lease(ends), began)
        yield* erasures.save(held, progress, ends)
        const repeated = { ...erasure, actor: "user:2", reason: null }
        const second = lease(ends)
        const again = yield* erasures.begin(repeated, second, began)
        assert.deepStrictEqual(again, { ...repeated, progress, lease: second.lease, attempt: 0 })
        assert.isFalse(yield* erasures.lock(held))
        const claimed = Option.getOrThrow(yield* erasures.claim(lease(later), ends))
        assert.deepInclude(claimed, { ...repeated, progress })
        yield* erasures.remove(claimed)
      })
  )

  it.effect("begins again without progress when it is repeated with more of the person", () =>
    Effect.gen(function* () {
      const erasures = yield* ErasureRepository
      const erasure = yield* accepted
      const held = yield* erasures.begin(erasure, lease(ends), began)
      yield* erasures.save(held, progress, ends)
      const person = { ...erasure.person, phones: ["41446681800"] }
      const repeated = { ...erasure, person, actor: "user:2", reason: null }
      const again = yield* erasures.begin(repeated, lease(ends), began)
      assert.isFalse(yield* erasures.lock(held))
      const claimed = Option.getOrThrow(yield* erasures.claim(lease(later), ends))
      assert.deepStrictEqual(claimed, { ...again, lease: claimed.lease, attempt: 1 })
      assert.deepInclude(claimed, { ...repeated, progress: {} })
      yield* erasures.remove(claimed)
    })
  )
})
