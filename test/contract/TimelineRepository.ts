/** The contract of `TimelineRepository`. */
import {
  ApiKeyRepository,
  CurrentActor,
  type NewTimelineEntry,
  TimelineRepository,
  type TripId
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { at, contract, unique } from "./Contract.ts"
import { changeTrip, newBusiness, newDriver, newTrip, newUser, now, wholeList } from "./Given.ts"

const updated = (after: object): NewTimelineEntry => ({
  change: "updated",
  driver_id: null,
  before: { notes: null },
  after: { ...after }
})

export const timelineRepository = contract("a timeline", (it) => {
  it.effect("has the entries of its trip with their author, the oldest first", () =>
    Effect.gen(function* () {
      const timelines = yield* TimelineRepository
      const business = yield* newBusiness
      const driver_id = yield* newDriver(business)
      const [trip, other] = [yield* newTrip(business), yield* newTrip(business)]
      const entry: NewTimelineEntry = { ...updated({ notes: "naïve ☕" }), driver_id }
      yield* timelines
        .append(
          business,
          [
            { tripId: trip.trip_id, entries: [entry, updated({ notes: "again" })] },
            { tripId: other.trip_id, entries: [updated({})] }
          ],
          at("10:00:00")
        )
        .pipe(Effect.provideService(CurrentActor, "user:5"))
      const { items, total } = Option.getOrThrow(yield* timelines.list(business, trip.trip_id, wholeList))
      assert.deepStrictEqual(
        items.map(({ after, change }) => [change, after]),
        [
          ["created", { status: "confirmed" }],
          ["updated", { notes: "naïve ☕" }],
          ["updated", { notes: "again" }]
        ]
      )
      assert.deepInclude(items[1], { ...entry, at: at("10:00:00"), actor: "user:5" })
      assert.strictEqual(total, 3)
      const page = Option.getOrThrow(yield* timelines.list(business, trip.trip_id, { page: 2, perPage: 2 }))
      assert.deepStrictEqual([page.items.length, page.total, page.hasMore], [1, 3, false])
    })
  )

  it.effect("loses fields of its own trip in its own business alone, and keeps the other fields", () =>
    Effect.gen(function* () {
      const timelines = yield* TimelineRepository
      const business = yield* newBusiness
      const [trip, other] = [yield* newTrip(business), yield* newTrip(business)]
      const entries = [{ ...updated({ notes: "Ada", total_amount: 1 }), before: null }]
      for (const { trip_id: tripId } of [trip, other])
        yield* timelines.append(business, [{ tripId, entries }], now)
      const last = (tripId: TripId) =>
        Effect.map(timelines.list(business, tripId, wholeList), (page) => {
          const { after, before } = Option.getOrThrow(page).items.at(-1) ?? assert.fail("no entry")
          return { after, before }
        })
      const whole = { before: null, after: { notes: "Ada", total_amount: 1 } }
      yield* timelines.erase(yield* newBusiness, [trip.trip_id], ["notes"])
      assert.deepStrictEqual(yield* last(trip.trip_id), whole)
      yield* timelines.erase(business, [trip.trip_id], ["notes", "stops"])
      assert.deepStrictEqual(yield* last(trip.trip_id), { before: null, after: { total_amount: 1 } })
      assert.deepStrictEqual(yield* last(other.trip_id), whole)
    })
  )

  it.effect("names its authors as they are called now, and the creator of an API key", () =>
    Effect.gen(function* () {
      const timelines = yield* TimelineRepository
      const keys = yield* ApiKeyRepository
      const business = yield* newBusiness
      const user = yield* newUser
      const driver = yield* newDriver(business, { name: "Dan" })
      const foreign = yield* newDriver(yield* newBusiness, { name: "Eve" })
      const { trip_id } = yield* newTrip(business)
      const keyHash = unique("hash")
      yield* keys.insert(business, { keyHash, maskedKey: "lvk_ab12…yz89", createdBy: user, createdAt: now })
      const actors = [
        `user:${user}`,
        `driver:${driver}`,
        `driver:${foreign}`,
        "api_key:lvk_ab12…yz89",
        "cli:anna"
      ]
      for (const actor of actors)
        yield* timelines
          .append(business, [{ tripId: trip_id, entries: [updated({})] }], now)
          .pipe(Effect.provideService(CurrentActor, actor))
      const names = Effect.map(timelines.list(business, trip_id, wholeList), (page) =>
        Option.getOrThrow(page).items.map(({ actor_name }) => actor_name)
      )
      assert.deepStrictEqual(yield* names, [null, "Ada", "Dan", null, "Ada", null])
      yield* keys.remove(business, keyHash)
      assert.deepStrictEqual(yield* names, [null, "Ada", "Dan", null, null, null])
    })
  )

  it.effect("is absent for a trip that is deleted or another business's", () =>
    Effect.gen(function* () {
      const timelines = yield* TimelineRepository
      const business = yield* newBusiness
      const { trip_id } = yield* newTrip(business)
      assert.deepStrictEqual(yield* timelines.list(yield* newBusiness, trip_id, wholeList), Option.none())
      yield* timelines.append(business, [], now)
      yield* changeTrip(business, trip_id, { deleted_at: now })
      assert.deepStrictEqual(yield* timelines.list(business, trip_id, wholeList), Option.none())
    })
  )
})
