import { assert, describe, it } from "@effect/vitest"
import {
  TripList,
  TripListRepository,
  type TripFilter,
  type TripListStart,
  tripsPerPage
} from "@livery/domain"
import { DateTime, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { business } from "../support/People.ts"

const acme = business(1, { timezone: "Europe/Zurich" })

/** A repository without trips that notes what it is asked. It knows one cursor. */
const archive = Effect.gen(function* () {
  const asked: Array<ReadonlyArray<unknown>> = []
  const counted: Array<boolean> = []
  /** How many trips there are; undefined: more than are counted. */
  const state: { total: number | undefined } = { total: 0 }
  const empty = { page: 1, items: [], total: undefined, hasMore: false }
  const bounds = (from: DateTime.Utc | undefined, before: DateTime.Utc | undefined) =>
    [from, before].map((it) => it && DateTime.formatIso(it))
  const Ports = Layer.succeed(
    TripListRepository,
    TripListRepository.of({
      page: (businessId, { before, from, order }, { page, perPage }, isCounted = true) =>
        Effect.sync(() => {
          asked.push([businessId, ...bounds(from, before), order, page, perPage])
          counted.push(isCounted)
          return { ...empty, page, total: isCounted ? state.total : undefined }
        }),
      after: (businessId, { before, from, order }, cursor, perPage) =>
        Effect.sync(() => {
          asked.push([businessId, ...bounds(from, before), order, cursor, perPage])
          return cursor === "known" ? Option.some({ ...empty, page: 7 }) : Option.none()
        })
    })
  )
  const context = yield* Layer.build(TripList.layer.pipe(Layer.provide(Ports)))
  return {
    asked,
    counted,
    state,
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
      const { asked, page } = yield* archive
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
      const { asked, page } = yield* archive
      assert.strictEqual((yield* page({}, { cursor: "known" })).page, 7)
      assert.deepStrictEqual(asked, [[1, undefined, undefined, "latest", "known", 20]])
    })
  )

  it.effect("refuses a malformed cursor, and a cursor together with a page", () =>
    Effect.gen(function* () {
      const { asked, page } = yield* archive
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
      const { asked, page } = yield* archive
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

  it.effect(
    "that was longer than is counted is not counted again for a while; others are, and it is then",
    () =>
      Effect.gen(function* () {
        const { counted, page, state } = yield* archive
        state.total = undefined
        assert.isUndefined((yield* page({ filter: "upcoming" })).total)
        yield* TestClock.adjust("9 seconds")
        // The same list, a moment later and on another page.
        assert.isUndefined((yield* page({ filter: "upcoming" }, { page: 2 })).total)
        assert.deepStrictEqual(counted, [true, false])
        state.total = 7
        assert.strictEqual((yield* page({ filter: "previous" })).total, 7)
        assert.strictEqual((yield* page({ filter: "previous" })).total, 7)
        assert.isUndefined((yield* page({ filter: "upcoming" })).total)
        yield* TestClock.adjust("1 second")
        assert.strictEqual((yield* page({ filter: "upcoming" })).total, 7)
        assert.deepStrictEqual(counted, [true, false, true, true, false, true])
      })
  )
})
