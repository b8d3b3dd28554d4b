/** The contract of `AdminBusinessRepository`. */
import {
  AdminBusinessRepository,
  BusinessId,
  BusinessRepository,
  Currency,
  PlanRepository,
  Transaction
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { at, atOnce, contract, unique } from "./Contract.ts"
import { changeTrip, newBusiness, newCar, newTrip, newUser, now, wholeList } from "./Given.ts"

const absent = BusinessId.make(999_999_999)

/** A new business with this name. */
const named = Effect.fnUntraced(function* (name: string) {
  const businesses = yield* BusinessRepository
  const slug = unique("slug")
  const id = yield* businesses.insert({
    name,
    email: `${slug}@example.com`,
    slug,
    planId: 1,
    websiteUrl: null
  })
  return { id: Option.getOrThrow(id), slug }
})

const input = (vendor_slug: string) => ({
  business_name: "Ada Cars",
  business_email: "ada@example.com",
  vendor_slug,
  subscription_plan_id: 2,
  subscription_status: "past_due" as const,
  subscription_item_id: "si_1",
  currency: Currency.make("CHF"),
  timezone: "Europe/Zurich"
})

export const adminBusinessRepository = contract("a business, for super-admins", (it) => {
  it.effect(
    "is found by a part of its name, email or slug in any case, and wildcards are taken literally",
    () =>
      Effect.gen(function* () {
        const businesses = yield* AdminBusinessRepository
        const word = unique("limo")
        const { id, slug } = yield* named(`The ${word.toUpperCase()} 100%_\\ people`)
        const found = (search: string) =>
          Effect.map(businesses.list(search, wholeList), ({ items }) =>
            items.map(({ business_id }) => business_id)
          )
        for (const search of [word, `${word} 100%_\\`, slug.toUpperCase(), `${slug}@EXAMPLE`])
          assert.deepStrictEqual(yield* found(search), [id], search)
        for (const search of [`${word}%people`, `${word.slice(0, -1)}_ 100`])
          assert.deepStrictEqual(yield* found(search), [], search)
      })
  )

  it.effect(
    "is stored with its changes, and not with a slug that another one has, also under concurrent updates",
    () =>
      Effect.gen(function* () {
        const businesses = yield* AdminBusinessRepository
        const [one, other, third] = [yield* newBusiness, yield* newBusiness, yield* newBusiness]
        const stored = yield* businesses.update(one, input(unique("ada")), at("10:00:00"))
        assert.deepInclude(stored, {
          business_id: one,
          subscription_plan_id: 2,
          subscription_status: "past_due",
          subscription_item_id: "si_1"
        })
        assert.deepStrictEqual(yield* businesses.find(one), Option.some(stored))
        assert.deepStrictEqual(yield* businesses.lock(one), Option.some(stored))
        assert.deepStrictEqual(yield* businesses.find(absent), Option.none())
        const slug = unique("ada")
        const updates = yield* atOnce(2, (index) =>
          Effect.exit(businesses.update(index === 0 ? other : third, input(slug), at("10:00:00")))
        )
        assert.lengthOf(updates.filter(Exit.isSuccess), 1)
        assert.isFalse(updates.some(Exit.hasDies))
      })
  )

  it.effect("has the status and the credits that were set", () =>
    Effect.gen(function* () {
      const businesses = yield* AdminBusinessRepository
      const business = yield* newBusiness
      assert.strictEqual((yield* businesses.setStatus(business, "D", at("10:00:00"))).status, "D")
      const stored = yield* businesses.setCredits(business, 7, at("11:00:00"))
      assert.deepInclude(stored, { status: "D", email_credits: 7, updated_at: at("11:00:00") })
    })
  )

  it.effect("has the counts of its own records, without deleted ones", () =>
    Effect.gen(function* () {
      const businesses = yield* AdminBusinessRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      yield* newCar(business)
      yield* newCar(business, { active: false })
      yield* newCar(other)
      yield* newTrip(business)
      const deleted = yield* newTrip(business)
      yield* changeTrip(business, deleted.trip_id, { deleted_at: now })
      yield* (yield* BusinessRepository).addMember(business, yield* newUser, "owner")
      assert.deepStrictEqual(yield* businesses.counts(business, at("00:00:00")), {
        cars: 1,
        drivers: 0,
        seats: 0,
        members: 1,
        customers: 0,
        trips: 1,
        trips_this_month: 1,
        invoices: 0,
        invoices_this_month: 0,
        events: 0,
        webhooks: 0,
        api_keys: 0,
        last_activity_at: null
      })
    })
  )

  it.effect("is on the plan that was set", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness
      yield* (yield* AdminBusinessRepository).update(business, input(unique("ada")), at("10:00:00"))
      const plan = yield* (yield* Transaction).run((yield* PlanRepository).lock(business))
      assert.strictEqual(plan.plan_id, 2)
    })
  )
})
