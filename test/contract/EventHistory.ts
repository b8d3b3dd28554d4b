/** The contract of `EventHistory`. */
import { DeliveryRepository, EventHistory } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { atOnce, contract } from "./Contract.ts"
import { emit, eventOf, prepared } from "./Deliveries.ts"
import { newBusiness } from "./Given.ts"

export const eventHistory = contract("the history of events", (it) => {
  it.effect("has each event of the business once, in the order of their commits", () =>
    Effect.gen(function* () {
      const history = yield* EventHistory
      const business = yield* newBusiness
      yield* emit(yield* newBusiness)
      const emitted = [yield* emit(business), yield* emit(business), yield* emit(business)]
      const bodies = emitted.map(({ body }) => body)
      const first = Option.getOrThrow(yield* history.after(business, undefined, 2))
      assert.deepStrictEqual([first.bodies, first.hasMore], [bodies.slice(0, 2), true])
      const second = Option.getOrThrow(yield* history.after(business, first.cursor, 2))
      assert.deepStrictEqual([second.bodies, second.hasMore], [bodies.slice(2), false])
      const end = yield* history.after(business, second.cursor, 2)
      assert.deepStrictEqual(end, Option.some({ bodies: [], cursor: second.cursor, hasMore: false }))
      const { body } = yield* emit(business)
      const more = Option.getOrThrow(yield* history.after(business, second.cursor, 2))
      assert.deepStrictEqual(more.bodies, [body])
    })
  )

  it.effect("has an end, after which only later events come", () =>
    Effect.gen(function* () {
      const history = yield* EventHistory
      const business = yield* newBusiness
      const start = yield* history.end(business)
      const { body: first } = yield* emit(business)
      yield* emit(yield* newBusiness)
      assert.deepStrictEqual(Option.getOrThrow(yield* history.after(business, start, 10)).bodies, [first])
      const end = yield* history.end(business)
      assert.deepStrictEqual(Option.getOrThrow(yield* history.after(business, end, 10)).bodies, [])
      const { body } = yield* emit(business)
      assert.deepStrictEqual(Option.getOrThrow(yield* history.after(business, end, 10)).bodies, [body])
    })
  )

  it.effect("has every concurrent event", () =>
    Effect.gen(function* () {
      const history = yield* EventHistory
      const business = yield* newBusiness
      const emitted = yield* atOnce(20, () => emit(business))
      const { bodies } = Option.getOrThrow(yield* history.after(business, undefined, 100))
      assert.sameMembers(
        [...bodies],
        emitted.map(({ body }) => body)
      )
    })
  )

  it.effect("has no samples", () =>
    Effect.gen(function* () {
      const { business, endpoint } = yield* prepared
      const deliveries = yield* DeliveryRepository
      const history = yield* EventHistory
      yield* deliveries.sendSample(eventOf(business), endpoint.endpoint_id)
      const { bodies } = Option.getOrThrow(yield* history.after(business, undefined, 10))
      assert.deepStrictEqual(bodies, [])
    })
  )

  it.effect("has nothing after a text that is no cursor", () =>
    Effect.gen(function* () {
      const history = yield* EventHistory
      const business = yield* newBusiness
      for (const cursor of ["", "x", "LTE", "MQ==", "MS4y"])
        assert.deepStrictEqual(yield* history.after(business, cursor, 10), Option.none())
    })
  )
})
