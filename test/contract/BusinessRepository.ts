/** The contract of `BusinessRepository`. */
import {
  AdminBusinessRepository,
  BusinessId,
  BusinessRepository,
  SessionRepository,
  makeSpendEmailCredit,
  Transaction
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { at, atOnce, contract, unique } from "./Contract.ts"
import { newUser } from "./Given.ts"

const newCars = (slug: string) => ({
  name: "Ada Cars",
  email: "ada@example.com",
  slug,
  planId: 1,
  websiteUrl: "https://ada.example"
})

export const businessRepository = contract("a business", (it) => {
  it.effect("is stored as active, in UTC and with USD", () =>
    Effect.gen(function* () {
      const businesses = yield* BusinessRepository
      yield* TestClock.setTime(DateTime.toEpochMillis(at("09:30:00")))
      const slug = unique("ada")
      const id = Option.getOrThrow(yield* businesses.insert(newCars(slug)))
      assert.deepStrictEqual(Option.getOrThrow(yield* businesses.find(id)), {
        business_id: id,
        business_name: "Ada Cars",
        business_email: "ada@example.com",
        vendor_slug: slug,
        status: "A",
        subscription_plan_id: 1,
        subscription_status: "active",
        email_credits: 0,
        currency: "USD" as never,
        timezone: "UTC",
        created_at: at("09:30:00"),
        updated_at: at("09:30:00")
      })
      assert.deepStrictEqual(
        yield* businesses.brand(id),
        Option.some({ business_name: "Ada Cars", phone: null, logo_url: null, accent_color: null })
      )
      assert.deepStrictEqual(yield* businesses.holidays(id), [])
      for (const read of [businesses.find, businesses.brand])
        assert.isTrue(Option.isNone<unknown>(yield* read(BusinessId.make(999_999_999))))
    })
  )

  it.effect("has a link key of its own, which is not its id and by which it is found", () =>
    Effect.gen(function* () {
      const businesses = yield* BusinessRepository
      const ids = yield* atOnce(3, () => businesses.insert(newCars(unique("ada"))))
      const keys = yield* Effect.forEach(ids, (id) => businesses.linkKeyOf(Option.getOrThrow(id)))
      assert.lengthOf(new Set(keys), 3)
      for (const [index, key] of keys.entries()) {
        assert.match(key, /^b[0-9a-f]{11}$/u)
        assert.deepStrictEqual(yield* businesses.findByLinkKey(key), ids[index])
        // Also when it is asked for again.
        assert.deepStrictEqual(yield* businesses.findByLinkKey(key), ids[index])
      }
      assert.deepStrictEqual(yield* businesses.findByLinkKey("b00000000000"), Option.none())
    })
  )

  it.effect("is not stored with a slug that another one has, also if both are stored at once", () =>
    Effect.gen(function* () {
      const businesses = yield* BusinessRepository
      const slug = unique("ada")
      const stored = yield* atOnce(5, () => businesses.insert(newCars(slug)))
      assert.lengthOf(stored.filter(Option.isSome), 1)
      assert.isTrue(Option.isNone(yield* businesses.insert(newCars(slug))))
    })
  )

  it.effect("frees its slug if its transaction is rolled back", () =>
    Effect.gen(function* () {
      const businesses = yield* BusinessRepository
      const transaction = yield* Transaction
      const slug = unique("ada")
      yield* Effect.flip(transaction.run(Effect.andThen(businesses.insert(newCars(slug)), Effect.fail("no"))))
      assert.isTrue(Option.isSome(yield* businesses.insert(newCars(slug))))
    })
  )

  it.effect("has each member once, also if a member is added several times at once", () =>
    Effect.gen(function* () {
      const businesses = yield* BusinessRepository
      const sessions = yield* SessionRepository
      const user = yield* newUser
      const id = Option.getOrThrow(yield* businesses.insert(newCars(unique("ada"))))
      yield* atOnce(5, () => businesses.addMember(id, user, "owner"))
      yield* businesses.addMember(id, user, "owner")
      assert.deepStrictEqual(
        (yield* sessions.businessesOf(user)).map(({ business_id }) => business_id),
        [id]
      )
    })
  )

  it.effect(
    "spends each email credit once, also if several are spent at once, and never more than it has",
    () =>
      Effect.gen(function* () {
        const businesses = yield* BusinessRepository
        const admin = yield* AdminBusinessRepository
        const transaction = yield* Transaction
        const spend = yield* makeSpendEmailCredit
        const id = Option.getOrThrow(yield* businesses.insert(newCars(unique("ada"))))
        const refused = yield* Effect.flip(spend(id))
        assert.strictEqual(refused.message, "The business has no email credits left")
        yield* admin.setCredits(id, 3, at("09:30:00"))
        const left = yield* atOnce(8, () => Effect.option(transaction.run(spend(id))))
        assert.deepStrictEqual(
          left.flatMap(Option.toArray).toSorted((one, other) => one - other),
          [0, 1, 2]
        )
        const [stored, other] = [
          yield* businesses.find(id),
          yield* Effect.option(spend(BusinessId.make(999_999_999)))
        ]
        assert.deepInclude(Option.getOrThrow(stored), { email_credits: 0 })
        assert.deepStrictEqual(other, Option.none())
      })
  )

  it.effect("keeps its email credit if the transaction that spends it is rolled back", () =>
    Effect.gen(function* () {
      const businesses = yield* BusinessRepository
      const admin = yield* AdminBusinessRepository
      const transaction = yield* Transaction
      const spend = yield* makeSpendEmailCredit
      const id = Option.getOrThrow(yield* businesses.insert(newCars(unique("ada"))))
      yield* admin.setCredits(id, 1, at("09:30:00"))
      yield* Effect.flip(transaction.run(Effect.andThen(spend(id), Effect.fail("no"))))
      assert.deepInclude(Option.getOrThrow(yield* businesses.find(id)), { email_credits: 1 })
    })
  )
})
