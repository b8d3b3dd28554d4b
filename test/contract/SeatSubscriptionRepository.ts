/** The contract of `SeatSubscriptionRepository`. */
import {
  AdminBusinessRepository,
  type BusinessId,
  Currency,
  type SeatChanges,
  SeatRepository,
  SeatSubscriptionRepository
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { contract } from "./Contract.ts"
import { newBusiness, newDriver, now } from "./Given.ts"

const price = { minor: 1500, currency: Currency.make("USD") }

const changes: SeatChanges = {
  quantity: 2,
  attempt: 3,
  attempted: 4,
  lease: 5,
  leased_until: DateTime.add(now, { seconds: 30 }),
  due_at: now
}

const link = Effect.fnUntraced(function* (businessId: BusinessId, subscription_item_id: string | null) {
  const businesses = yield* AdminBusinessRepository
  const business = Option.getOrThrow(yield* businesses.find(businessId))
  yield* businesses.update(businessId, { ...business, subscription_item_id }, now)
})

export const seatSubscriptionRepository = contract("seats at the payment provider", (it) => {
  it.effect("are found with the number of seats, if the business has a subscription item", () =>
    Effect.gen(function* () {
      const subscriptions = yield* SeatSubscriptionRepository
      const seats = yield* SeatRepository
      const business = yield* newBusiness
      assert.isTrue(Option.isNone(yield* subscriptions.find(business)))
      yield* link(business, "si_1")
      const unused = { quantity: null, attempt: 0, attempted: null, lease: 0, leased_until: null, seats: 0 }
      assert.deepInclude(Option.getOrThrow(yield* subscriptions.find(business)), {
        ...unused,
        item_id: "si_1"
      })
      yield* seats.take(business, yield* newDriver(business), price, now)
      yield* subscriptions.save(business, { ...changes, attempt: 1 })
      yield* subscriptions.save(business, changes)
      const expected = { ...changes, item_id: "si_1", seats: 1 }
      assert.deepStrictEqual(Option.getOrThrow(yield* subscriptions.find(business)), expected)
      yield* link(business, null)
      assert.isTrue(Option.isNone(yield* subscriptions.find(business)))
    })
  )

  it.effect(
    "are due from their time on, the longest due first, for businesses with a subscription item",
    () =>
      Effect.gen(function* () {
        const subscriptions = yield* SeatSubscriptionRepository
        const [first, second, later, unlinked] = [
          yield* newBusiness,
          yield* newBusiness,
          yield* newBusiness,
          yield* newBusiness
        ]
        for (const business of [first, second, later]) yield* link(business, "si_1")
        yield* subscriptions.save(second, { ...changes, due_at: now })
        yield* subscriptions.save(first, { ...changes, due_at: DateTime.subtract(now, { minutes: 1 }) })
        yield* subscriptions.save(later, { ...changes, due_at: DateTime.add(now, { seconds: 1 }) })
        yield* subscriptions.save(unlinked, changes)
        const due = (yield* subscriptions.due(now, 1000)).filter((id) =>
          [first, second, later, unlinked].includes(id)
        )
        assert.deepStrictEqual(due, [first, second])
        assert.lengthOf(yield* subscriptions.due(now, 1), 1)
      })
  )
})
