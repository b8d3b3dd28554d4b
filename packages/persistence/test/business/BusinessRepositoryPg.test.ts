import { BusinessId, BusinessRepository, SessionRepository } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { at, atOnce, TestPersistence, newUser, unique } from "../support/TestPersistence.ts"

const given = () => ({
  name: "Ada's Cars",
  email: "cars@example.com",
  slug: unique("ada-s-cars"),
  planId: 1,
  websiteUrl: null
})

layer(TestPersistence)("a business", (it) => {
  it.effect("is found as it was created: active, in UTC, with USD", () =>
    Effect.gen(function* () {
      const businesses = yield* BusinessRepository
      yield* TestClock.setTime(DateTime.toEpochMillis(at("09:30:00")))
      const business = given()
      const id = Option.getOrThrow(
        yield* businesses.insert({ ...business, websiteUrl: "https://ada.example" })
      )
      const { created_at, updated_at, ...found } = Option.getOrThrow(yield* businesses.find(id))
      assert.deepStrictEqual(
        { ...found },
        {
          business_id: id,
          business_name: "Ada's Cars",
          business_email: "cars@example.com",
          vendor_slug: business.slug,
          status: "A",
          subscription_plan_id: 1,
          subscription_status: "active",
          email_credits: 0,
          currency: found.currency,
          timezone: "UTC"
        }
      )
      assert.strictEqual(found.currency, "USD")
      assert.deepStrictEqual([created_at, updated_at].map(DateTime.formatIso), [
        "2026-11-20T09:30:00.000Z",
        "2026-11-20T09:30:00.000Z"
      ])
      assert.isTrue(Option.isNone(yield* businesses.find(BusinessId.make(999_999_999))))
    })
  )

  it.effect("with one slug is one business, also under concurrent creation", () =>
    Effect.gen(function* () {
      const businesses = yield* BusinessRepository
      const business = given()
      const founded = yield* atOnce(8, () => businesses.insert(business))
      assert.lengthOf(founded.filter(Option.isSome), 1)
      assert.isTrue(Option.isNone(yield* businesses.insert(business)))
    })
  )

  it.effect("accepts a member once, also twice or concurrently", () =>
    Effect.gen(function* () {
      const businesses = yield* BusinessRepository
      const sessions = yield* SessionRepository
      const user = yield* newUser
      const id = Option.getOrThrow(yield* businesses.insert(given()))
      yield* atOnce(5, () => businesses.addMember(id, user, "owner"))
      yield* businesses.addMember(id, user, "owner")
      assert.deepStrictEqual(
        (yield* sessions.businessesOf(user)).map(({ business_id }) => business_id),
        [id]
      )
    })
  )
})
