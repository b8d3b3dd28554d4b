import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { acknowledged, alone, claim, emit, newBusiness, newEndpoint, passTime, prepared } from "./Scenario.ts"

const many = (count: number) => Array.from({ length: count })

describe("a business's share", () => {
  it.live("twenty endpoints of one business hold no more than its share, and leave the rest to others", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      yield* Effect.forEach(many(19), () => newEndpoint(business))
      yield* emit(business, 20)
      const quiet = yield* newBusiness
      yield* newEndpoint(quiet)
      yield* emit(quiet)
      const first = yield* claim(400, 10, 40)
      const loud = first.filter(({ businessId }) => businessId === business)
      assert.strictEqual(loud.length, 40)
      assert.strictEqual(first.length, 41)
      // Each of its endpoints has its part of it.
      assert.deepStrictEqual(
        [...new Set(loud.map(({ endpointId }) => endpointId))].map(
          (id) => loud.filter(({ endpointId }) => endpointId === id).length
        ),
        many(20).map(() => 2)
      )
      assert.deepStrictEqual(yield* claim(400, 10, 40), [])
    }).pipe(alone)
  )

  it.live("is filled again as attempts end, whichever endpoints they were of", () =>
    Effect.gen(function* () {
      const { business, queue } = yield* prepared
      yield* Effect.forEach(many(4), () => newEndpoint(business))
      yield* emit(business, 20)
      const held = yield* claim(100, 10, 12)
      assert.strictEqual(held.length, 12)
      yield* queue.record(held.slice(0, 5).map(acknowledged))
      assert.strictEqual((yield* claim(100, 10, 12)).length, 5)
    }).pipe(alone)
  )

  it.live("one that is smaller than the number of its endpoints is given to some, and to others next", () =>
    Effect.gen(function* () {
      const { business, queue } = yield* prepared
      yield* Effect.forEach(many(5), () => newEndpoint(business))
      yield* emit(business)
      const served: Array<number> = []
      for (let round = 0; round < 3; round++) {
        const held = yield* claim(100, 10, 2)
        served.push(...held.map(({ endpointId }) => endpointId))
        yield* queue.record(held.map(acknowledged))
      }
      assert.strictEqual(new Set(served).size, 6)
    }).pipe(alone)
  )

  it.live("once it is full, its many endpoints keep no other business from its turn", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      const quiet = yield* newBusiness
      yield* Effect.forEach(many(14), () => newEndpoint(business))
      yield* newEndpoint(quiet)
      yield* Effect.forEach(many(15), () => newEndpoint(business))
      yield* emit(business, 3)
      yield* claim(100, 10, 30)
      yield* emit(quiet)
      assert.deepStrictEqual(
        (yield* claim(5, 10, 30)).map(({ businessId }) => businessId),
        [quiet]
      )
    }).pipe(alone)
  )

  it.live("counts what is taken up again after a silent dispatcher", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      yield* newEndpoint(business)
      yield* emit(business, 10)
      assert.strictEqual((yield* claim(100, 10, 12)).length, 12)
      yield* passTime
      assert.strictEqual((yield* claim(100, 10, 4)).length, 4)
      assert.deepStrictEqual(yield* claim(100, 10, 4), [])
    }).pipe(alone)
  )
})

describe("several dispatchers", () => {
  it.live("share an endpoint's bound and a business's share: what one holds, the others do not get", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      yield* newEndpoint(business)
      yield* emit(business, 30)
      const rounds = yield* Effect.forEach(many(4), () => claim(7, 10, 15))
      const held = rounds.flat()
      assert.strictEqual(held.length, 15)
      for (const id of new Set(held.map(({ endpointId }) => endpointId)))
        assert.isAtMost(held.filter(({ endpointId }) => endpointId === id).length, 10)
    }).pipe(alone)
  )

  it.live("that claim at the same instant exceed the bound by at most as much for each, and only then", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      yield* emit(business, 80)
      const atOnce = yield* Effect.forEach(many(4), () => claim(100, 10), { concurrency: "unbounded" })
      const held = atOnce.flat()
      assert.isAtLeast(held.length, 10)
      assert.isAtMost(held.length, 40)
      assert.strictEqual(new Set(held.map(({ deliveryId }) => deliveryId)).size, held.length)
      assert.deepStrictEqual(yield* claim(100, 10), [])
    }).pipe(alone)
  )
})
