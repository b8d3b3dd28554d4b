import { assert, describe, it } from "@effect/vitest"
import { TripList, TripListRepository, type TripQuery, WallClock } from "@livery/domain"
import { Memory } from "@livery/memory"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { dispatch } from "../support/Dispatch.ts"
import { business } from "../support/People.ts"

/**
 * A pickup as it is typed, where, the instant that it means, and how it is shown. Lord Howe's clock moves by half an
 * hour; Apia's calendar has no 30 December 2011.
 */
const pickups = [
  // Local times that the clock skips.
  ["2027-03-28 02:30:00", "Europe/Zurich", "2027-03-28T01:30:00Z", "2027-03-28 03:30:00"],
  ["2027-03-14 02:00:00", "America/New_York", "2027-03-14T07:00:00Z", "2027-03-14 03:00:00"],
  ["2026-10-04 02:00:00", "Australia/Lord_Howe", "2026-10-03T15:30:00Z", "2026-10-04 02:30:00"],
  ["2011-12-30 10:00:00", "Pacific/Apia", "2011-12-30T20:00:00Z", "2011-12-31 10:00:00"],
  // Local times that the clock repeats: the second occurrence.
  ["2026-10-25 02:30:00", "Europe/Zurich", "2026-10-25T01:30:00Z", "2026-10-25 02:30:00"],
  ["2026-11-01 01:59:59", "America/New_York", "2026-11-01T06:59:59Z", "2026-11-01 01:59:59"],
  ["2027-04-04 01:45:00", "Australia/Lord_Howe", "2027-04-03T15:15:00Z", "2027-04-04 01:45:00"],
  // Unique local times beside a clock change.
  ["2026-10-25 01:59:59", "Europe/Zurich", "2026-10-24T23:59:59Z", "2026-10-25 01:59:59"],
  ["2026-11-01 02:00:00", "America/New_York", "2026-11-01T07:00:00Z", "2026-11-01 02:00:00"],
  ["2011-12-31 00:00:00", "Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31 00:00:00"]
] as const

describe("a pickup on the business's clock", () => {
  it.effect.each(pickups)("%s in %s is the instant %s, shown as %s", ([typed, timezone, instant, shown]) =>
    Effect.gen(function* () {
      const acting = business(1, { timezone })
      const { create, update } = yield* dispatch
      const booked = yield* create({ trip_date: typed }, acting)
      assert.deepStrictEqual([booked.trip_date, booked.pickup_at], [instant, shown])
      yield* update(1, { trip_date: "2030-01-01T00:00:00Z" }, acting)
      const changed = yield* update(1, { trip_date: typed }, acting)
      assert.deepStrictEqual([changed.trip_date, changed.pickup_at], [instant, shown])
    })
  )

  it.effect("an offset determines the instant, also within an hour that the clock repeats", () =>
    Effect.gen(function* () {
      const acting = business(1, { timezone: "Europe/Zurich" })
      const { create } = yield* dispatch
      const [first, second] = [
        yield* create({ trip_date: "2026-10-25T02:30:00+02:00" }, acting),
        yield* create({ trip_date: "2026-10-25T02:30:00+01:00" }, acting)
      ]
      assert.deepStrictEqual(
        [first.trip_date, second.trip_date],
        ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"]
      )
      assert.strictEqual(first.pickup_at, second.pickup_at)
    })
  )

  it.effect("a trip across a clock change keeps its duration", () =>
    Effect.gen(function* () {
      const acting = business(1, { timezone: "Europe/Zurich" })
      const { assign, create, addDrivers } = yield* dispatch
      addDrivers(1, 11)
      // 90 minutes from 01:30, during which the clock advances by 150 minutes.
      yield* create({ trip_date: "2027-03-28 01:30:00", duration_minutes: 90 }, acting)
      yield* create({ trip_date: "2027-03-28 03:59:59" }, acting)
      yield* create({ trip_date: "2027-03-28 04:00:00" }, acting)
      yield* assign(1, [11], false, acting)
      assert.lengthOf((yield* assign(2, [11], false, acting)).warnings, 1)
      yield* assign(2, [], false, acting)
      assert.lengthOf((yield* assign(3, [11], false, acting)).warnings, 0)
    })
  )
})

/** A day, where, when it begins and how many hours it has. */
const days = [
  ["2027-03-28", "Europe/Zurich", "2027-03-27T23:00:00Z", 23],
  ["2026-10-25", "Europe/Zurich", "2026-10-24T22:00:00Z", 25],
  ["2027-03-14", "America/New_York", "2027-03-14T05:00:00Z", 23],
  ["2026-11-01", "America/New_York", "2026-11-01T04:00:00Z", 25],
  ["2026-10-04", "Australia/Lord_Howe", "2026-10-03T13:30:00Z", 23.5],
  ["2027-04-04", "Australia/Lord_Howe", "2027-04-03T13:00:00Z", 24.5],
  ["2011-12-29", "Pacific/Apia", "2011-12-29T10:00:00Z", 24],
  ["2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00Z", 0],
  ["2011-12-31", "Pacific/Apia", "2011-12-30T10:00:00Z", 24]
] as const

describe("a day of the list", () => {
  it.effect.each(days)("%s in %s begins at %s and has %d hours", ([day, timezone, begins, hours]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(0)
      const asked: Array<TripQuery> = []
      const list = Layer.effect(
        TripListRepository,
        Effect.map(TripListRepository, (trips) =>
          TripListRepository.of({
            ...trips,
            page: (businessId, query, ...rest) => {
              asked.push(query)
              return trips.page(businessId, query, ...rest)
            }
          })
        )
      ).pipe(Layer.provide(Memory.layer))
      const acting = business(1, { timezone })
      yield* TripList.use((trips) => trips.page(acting, { date_from: day, date_to: day }, {})).pipe(
        Effect.provide(TripList.layer.pipe(Layer.provide(list)))
      )
      const [query] = asked
      assert.strictEqual(query?.from && WallClock.rfc3339(query.from), begins)
      const [from, before] = [query?.from?.epochMilliseconds ?? 0, query?.before?.epochMilliseconds ?? 0]
      assert.strictEqual((before - from) / 3_600_000, hours)
    })
  )
})
