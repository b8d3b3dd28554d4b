import { assert, describe, it } from "@effect/vitest"
import {
  TripList,
  TripListRepository,
  type TripFilter,
  type TripListStart,
  tripsPerPage
} from "@livery/domain"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { dispatch } from "../support/Dispatch.ts"
import { business } from "../support/People.ts"

const acme = business(1, { timezone: "Europe/Zurich" })

/** The list of the trips in memory, and its calls of the port. */
const tripList = Effect.gen(function* () {
  const { create, layer } = yield* dispatch
  const asked: Array<ReadonlyArray<unknown>> = []
  const bounds = (from: DateTime.Utc | undefined, before: DateTime.Utc | undefined) =>
    [from, before].map((it) => it && DateTime.formatIso(it))
  const Observed = Layer.effect(
    TripListRepository,
    Effect.map(TripListRepository, (trips) =>
      TripListRepository.of({
        page: (businessId, query, request) =>
          Effect.suspend(() => {
            const { before, from, order } = query
            asked.push([businessId, ...bounds(from, before), order, request.page, request.perPage])
            return trips.page(businessId, query, request)
          }),
        after: (businessId, query, cursor, perPage) =>
          Effect.suspend(() => {
            const { before, from, order } = query
            asked.push([businessId, ...bounds(from, before), order, cursor, perPage])
            return trips.after(businessId, query, cursor, perPage)
          })
      })
    )
  )
  const context = yield* Layer.build(TripList.layer.pipe(Layer.provide(Observed), Layer.provide(layer)))
  return {
    asked,
    create: (trip_date: string) => create({ trip_date }, acme),
    page: (filter: TripFilter = {}, start?: TripListStart) =>
      Effect.provide(
        TripList.use((it) => it.page(acme, filter, start)),
        context
      )
  }
})

describe("the list of trips", () => {
  it.effect("reads only the acting business's trips, 20 to a page, in its time zone", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-20T12:00:00Z"))
      const { asked, page } = yield* tripList
      yield* page({ filter: "upcoming", date_to: "2026-11-21" }, { page: 3 })
      yield* page()
      assert.strictEqual(tripsPerPage, 20)
      assert.deepStrictEqual(asked, [
        [1, "2026-11-20T12:00:00.000Z", "2026-11-21T23:00:00.000Z", "soonest", 3, 20],
        [1, undefined, undefined, "latest", 1, 20]
      ])
    })
  )

  it.effect("continues after a cursor, and returns the number of that page", () =>
    Effect.gen(function* () {
      const { asked, create, page } = yield* tripList
      const trips = yield* Effect.forEach(Array.from({ length: 41 }), () => create("2026-11-20T12:00:00Z"))
      const first = yield* page()
      const second = yield* page({}, { cursor: first.nextCursor })
      const third = yield* page({}, { cursor: second.nextCursor })
      assert.deepStrictEqual([first.page, second.page, third.page], [1, 2, 3])
      assert.deepStrictEqual(
        [first, second, third].flatMap(({ items }) => items.map(({ trip_id }) => trip_id)),
        trips.map(({ trip_id }) => trip_id).toReversed()
      )
      assert.deepStrictEqual(asked.slice(1), [
        [1, undefined, undefined, "latest", first.nextCursor, 20],
        [1, undefined, undefined, "latest", second.nextCursor, 20]
      ])
    })
  )

  it.effect("refuses a malformed cursor, and a cursor together with a page", () =>
    Effect.gen(function* () {
      const { asked, page } = yield* tripList
      const issues = [{ field: "cursor", issue: "invalid" }]
      assert.deepStrictEqual<unknown>((yield* Effect.flip(page({}, { cursor: "guessed" }))).issues, issues)
      assert.lengthOf(asked, 1)
      assert.deepStrictEqual<unknown>(
        (yield* Effect.flip(page({}, { cursor: "known", page: 1 }))).issues,
        issues
      )
      assert.lengthOf(asked, 1)
    })
  )

  it.effect("refuses days in the wrong order before it reads, with every other wrong field", () =>
    Effect.gen(function* () {
      const { asked, page } = yield* tripList
      const days = { date_from: "2026-11-21", date_to: "2026-11-20" }
      const wrong = { field: "date_to", issue: "out_of_range" } as const
      assert.deepStrictEqual((yield* Effect.flip(page(days))).issues, [wrong])
      assert.deepStrictEqual((yield* Effect.flip(page(days, { cursor: "known", page: 1 }))).issues, [
        wrong,
        { field: "cursor", issue: "invalid" }
      ])
      assert.isEmpty(asked)
      yield* page({ date_from: "2026-11-20", date_to: "2026-11-20" })
    })
  )
})
