import { assert, layer } from "@effect/vitest"
import { type BusinessId, DriverLocationRepository, TrackingRepository, TripId } from "@livery/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { at, TestPersistence, newBusiness, unique } from "../support/TestPersistence.ts"
import { measured, newJob, newTrip, type OpenJob, report, setJob } from "../driving/StoredJobs.ts"

const seen = Effect.fnUntraced(function* (businessId: BusinessId, tripId: TripId) {
  const { find } = yield* TrackingRepository
  const [found] = yield* find(businessId, [tripId])
  return found
})

const setTrip = Effect.fnUntraced(function* ({ tripId }: Pick<OpenJob, "tripId">, status: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE trips SET status = ${status} WHERE trip_id = ${tripId}`
})

layer(TestPersistence)("a trip that is followed", (it) => {
  it.effect("has the last position of its driver, and none while no driver is under way", () =>
    Effect.gen(function* () {
      const { record } = yield* DriverLocationRepository
      const business = yield* newBusiness({ timezone: "Europe/Zurich" })
      const job = yield* newJob(business)
      assert.isNull((yield* seen(business, job.tripId))?.position)
      const other = yield* newJob(business, { tripId: job.tripId })
      yield* record([report(job, [measured(2)]), report(other, [measured(1)])])
      const found = yield* seen(business, job.tripId)
      assert.deepStrictEqual(found?.position, measured(2))
      assert.deepInclude(found, {
        trip_id: job.tripId,
        status: "confirmed",
        deleted: false,
        link_hash: null
      })
      assert.deepInclude(found?.business, {
        business_id: business,
        timezone: "Europe/Zurich",
        status: "A"
      })
      yield* setJob(job, "completed")
      assert.deepStrictEqual((yield* seen(business, job.tripId))?.position, measured(1))
      yield* setJob(other, "cancelled")
      assert.isNull((yield* seen(business, job.tripId))?.position)
    })
  )

  it.effect("is absent for another business; a deleted trip is marked as deleted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { find } = yield* TrackingRepository
      const [business, foreign] = [yield* newBusiness(), yield* newBusiness()]
      const [one, other] = [yield* newTrip(business), yield* newTrip(business)]
      assert.isUndefined(yield* seen(foreign, one))
      assert.isUndefined(yield* seen(business, TripId.make(999_999_999)))
      yield* sql`UPDATE trips SET deleted_at = now() WHERE trip_id = ${other}`
      const both = yield* find(business, [one, other])
      assert.sameDeepMembers(
        both.map(({ deleted, trip_id }) => [trip_id, deleted]),
        [
          [one, false],
          [other, true]
        ]
      )
    })
  )
})

layer(TestPersistence)("a tracking link", (it) => {
  it.effect("is not made for a trip that is another business's, deleted or has ended", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { setLink } = yield* TrackingRepository
      const [business, foreign] = [yield* newBusiness(), yield* newBusiness()]
      const make = (businessId: BusinessId, tripId: TripId) =>
        setLink(businessId, tripId, unique("hash"), at("09:00:00"))
      const [trip, deleted, completed, cancelled] = [
        yield* newTrip(business),
        yield* newTrip(business),
        yield* newTrip(business),
        yield* newTrip(business)
      ]
      yield* sql`UPDATE trips SET deleted_at = now() WHERE trip_id = ${deleted}`
      yield* setTrip({ tripId: completed }, "completed")
      yield* setTrip({ tripId: cancelled }, "cancelled")
      for (const it of [deleted, completed, cancelled]) assert.isFalse(yield* make(business, it))
      assert.isFalse(yield* make(foreign, trip))
      assert.isTrue(yield* make(business, trip))
    })
  )
})
