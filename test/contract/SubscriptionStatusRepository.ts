/** The contract of `SubscriptionStatusRepository`. */
import { AdminBusinessRepository, SubscriptionStatusRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { atOnce, contract, unique } from "./Contract.ts"
import { newBusiness, now } from "./Given.ts"

export const subscriptionStatusRepository = contract("subscription statuses", (it) => {
  it.effect("are those of the businesses with an item of the subscription", () =>
    Effect.gen(function* () {
      const businesses = yield* AdminBusinessRepository
      const statuses = yield* SubscriptionStatusRepository
      const [one, two] = [yield* newBusiness, yield* newBusiness]
      const item = unique("si")
      assert.deepStrictEqual(yield* statuses.withItems([item]), [])
      for (const id of [one, two]) {
        const business = Option.getOrThrow(yield* businesses.find(id))
        yield* businesses.update(id, { ...business, subscription_item_id: item }, now)
      }
      assert.deepStrictEqual(yield* statuses.withItems([unique("si"), item]), [one, two])
      assert.deepStrictEqual(yield* statuses.withItems([]), [])
    })
  )

  it.effect("are set once, and only those of that business", () =>
    Effect.gen(function* () {
      const businesses = yield* AdminBusinessRepository
      const statuses = yield* SubscriptionStatusRepository
      const [one, other] = [yield* newBusiness, yield* newBusiness]
      const later = DateTime.add(now, { hours: 1 })
      const set = yield* atOnce(4, () => statuses.set(one, "past_due", later))
      assert.deepStrictEqual(
        set.flatMap((before) => Option.toArray(before)),
        ["active"]
      )
      const statusOf = (id: typeof one) =>
        Effect.map(businesses.find(id), (found) => Option.getOrThrow(found).subscription_status)
      assert.deepStrictEqual([yield* statusOf(one), yield* statusOf(other)], ["past_due", "active"])
      assert.deepStrictEqual(yield* statuses.set(one, "cancelled", later), Option.some("past_due"))
    })
  )
})
