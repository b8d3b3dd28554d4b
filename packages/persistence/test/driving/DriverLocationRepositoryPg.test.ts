import { assert, layer } from "@effect/vitest"
import { type BusinessId, DriverLocationRepository, type LocationReport } from "@livery/domain"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { atOnce, TestPersistence, newBusiness } from "../support/TestPersistence.ts"
import { measured, newDriver, newJob, type OpenJob, report, setJob } from "./StoredJobs.ts"

const firstPage = { page: 1, perPage: 100 }

const lastOf = Effect.fnUntraced(function* ({ assignmentId }: Pick<OpenJob, "assignmentId">) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly lat: number }>`
    SELECT lat FROM driver_positions WHERE assignment_id = ${assignmentId}`
  return row?.lat
})

const trailOf = Effect.fnUntraced(function* ({ assignmentId }: Pick<OpenJob, "assignmentId">) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly lat: number }>`
    SELECT lat FROM driver_trail WHERE assignment_id = ${assignmentId} ORDER BY recorded_at, lat`
  return rows.map(({ lat }) => lat)
})

/** Every stored position of a business, last ones and trails, without the time of its arrival. */
const storedOf = Effect.fnUntraced(function* (businessId: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`
    SELECT assignment_id, recorded_at::text, lat, lng, accuracy, heading, speed FROM (
      SELECT business_id, assignment_id, recorded_at, lat, lng, accuracy, heading, speed FROM driver_positions
      UNION ALL
      SELECT business_id, assignment_id, recorded_at, lat, lng, accuracy, heading, speed FROM driver_trail
    ) p WHERE business_id = ${businessId} ORDER BY assignment_id, recorded_at, lat`
})

/** The trips that each of the reports was recorded for. */
const recording = Effect.map(
  DriverLocationRepository,
  (locations) => (reports: ReadonlyArray<LocationReport>) =>
    Effect.map(locations.record(reports), (recorded) => recorded.map(({ trips }) => trips))
)

/** Reports in random order, split into requests at random, some of them repeated. */
const Journey = Schema.Array(
  Schema.Struct({
    second: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 })),
    withNext: Schema.Boolean
  })
).check(Schema.isMinLength(1), Schema.isMaxLength(25))

const requestsOf = (journey: typeof Journey.Type) => {
  const requests: Array<Array<number>> = [[]]
  for (const { second, withNext } of journey) {
    requests.at(-1)?.push(second)
    if (!withNext) requests.push([])
  }
  return requests.filter((seconds) => seconds.length > 0)
}

layer(TestPersistence)("where drivers are", (it) => {
  it.effect("is recorded for the trip that the driver is under way on, and for no other", () =>
    Effect.gen(function* () {
      const record = yield* recording
      const business = yield* newBusiness()
      const job = yield* newJob(business)
      const later = yield* newJob(business, { driverId: job.driverId, status: "assigned" })
      const done = yield* newJob(business, { driverId: job.driverId, status: "completed" })
      assert.deepStrictEqual(yield* record([report(job, [measured(1)])]), [[job.tripId]])
      assert.deepStrictEqual(
        [yield* lastOf(job), yield* lastOf(later), yield* lastOf(done)],
        [0.001, undefined, undefined]
      )
    })
  )

  it.effect("is recorded for each trip of a driver who is under way on two, or for the token's alone", () =>
    Effect.gen(function* () {
      const record = yield* recording
      const business = yield* newBusiness()
      const one = yield* newJob(business)
      const other = yield* newJob(business, { driverId: one.driverId })
      assert.deepStrictEqual(yield* record([report(one, [measured(1)])]), [[one.tripId, other.tripId]])
      assert.deepStrictEqual(yield* record([report(one, [measured(2)], other.assignmentId)]), [
        [other.tripId]
      ])
      assert.deepStrictEqual([yield* lastOf(one), yield* lastOf(other)], [0.001, 0.002])
    })
  )

  it.effect("is recorded only for a driver under way, and only in the driver's own name", () =>
    Effect.gen(function* () {
      const record = yield* recording
      const [business, foreign] = [yield* newBusiness(), yield* newBusiness()]
      const job = yield* newJob(business)
      const jobs = [
        yield* newJob(business, { status: "assigned" }),
        yield* newJob(business, { status: "completed" }),
        yield* newJob(business, { status: "cancelled" })
      ]
      const reports = [
        ...jobs.map((it) => report(it, [measured(1)])),
        ...jobs.map((it) => report(it, [measured(1)], it.assignmentId)),
        report({ ...job, businessId: foreign }, [measured(1)]),
        report({ ...job, driverId: yield* newDriver(business) }, [measured(1)], job.assignmentId)
      ]
      assert.deepStrictEqual(
        yield* record(reports),
        reports.map(() => [])
      )
      for (const it of [job, ...jobs]) assert.deepStrictEqual(yield* trailOf(it), [])
    })
  )

  it.effect(
    "a late report is stored and does not change the last position, and an exact repetition is stored once",
    () =>
      Effect.gen(function* () {
        const record = yield* recording
        const job = yield* newJob(yield* newBusiness())
        yield* record([report(job, [measured(10)])])
        assert.deepStrictEqual(yield* record([report(job, [measured(5), measured(9)])]), [[job.tripId]])
        assert.deepStrictEqual(yield* record([report(job, [measured(5)])]), [[job.tripId]])
        assert.strictEqual(yield* lastOf(job), 0.01)
        assert.deepStrictEqual(yield* trailOf(job), [0.005, 0.009, 0.01])
      })
  )

  it.effect(
    "is recorded from a minute before the driver set out, and each report returns the number of records",
    () =>
      Effect.gen(function* () {
        const { record } = yield* DriverLocationRepository
        const business = yield* newBusiness()
        const job = yield* newJob(business)
        const sql = yield* SqlClient.SqlClient
        const next = yield* newJob(business, { driverId: job.driverId })
        yield* sql`
        UPDATE assignments SET en_route_at = en_route_at + interval '100 s' WHERE assignment_id = ${next.assignmentId}`
        const seconds = [-3600, -61, -60, 39, 40, 41]
        const way = seconds.map((second) => measured(second))
        assert.deepStrictEqual(yield* record([report(job, way.slice(0, 2)), report(job, way)]), [
          { positions: 0, trips: [] },
          { positions: 4, trips: [job.tripId, next.tripId] }
        ])
        assert.deepStrictEqual(yield* trailOf(job), [-0.06, 0.039, 0.04, 0.041])
        assert.deepStrictEqual(yield* trailOf(next), [0.04, 0.041])
        assert.deepStrictEqual(yield* record([report(job, way, next.assignmentId)]), [
          { positions: 2, trips: [next.tripId] }
        ])
      })
  )

  it.effect("a report of one position has the same result alone as with others", () =>
    Effect.gen(function* () {
      const { record } = yield* DriverLocationRepository
      const [business, foreign] = [yield* newBusiness(), yield* newBusiness()]
      const job = yield* newJob(business)
      const next = yield* newJob(business, { driverId: job.driverId })
      const others = [
        yield* newJob(business, { status: "assigned" }),
        yield* newJob(business, { status: "completed" })
      ]
      const reports = [
        ...[-61, -60, 0, 40].map((second) => report(job, [measured(second)])),
        ...[-61, -60].map((second) => report(job, [measured(second)], next.assignmentId)),
        ...others.flatMap((it) => [
          report(it, [measured(1)]),
          report(it, [measured(1)], it.assignmentId),
          report(it, [measured(1)], job.assignmentId)
        ]),
        report({ ...job, businessId: foreign }, [measured(1)]),
        report(job, [{ ...measured(41), lng: -0.5, accuracy: 7.5, heading: 270.5, speed: 3.5 }])
      ]
      const alone = yield* Effect.forEach(reports, (it) => record([it]))
      const stored = yield* storedOf(business)
      assert.lengthOf(stored, 10)
      assert.deepStrictEqual(yield* record(reports), alone.flat())
      assert.deepStrictEqual(yield* storedOf(business), stored)
    })
  )

  it.effect("of two with the same time, the one that arrives later is kept, also within one request", () =>
    Effect.gen(function* () {
      const record = yield* recording
      const job = yield* newJob(yield* newBusiness())
      yield* record([report(job, [measured(1, 10), measured(1, 9)])])
      assert.strictEqual(yield* lastOf(job), 9)
      yield* record([report(job, [measured(1, 8)]), report(job, [measured(1, 11)])])
      assert.strictEqual(yield* lastOf(job), 11)
    })
  )

  it.effect.prop(
    "random orders of reports, in random requests and with repetitions, end with the newest position and all positions",
    { journey: Journey },
    ({ journey }) =>
      Effect.gen(function* () {
        const record = yield* recording
        const job = yield* newJob(yield* newBusiness())
        for (const seconds of requestsOf(journey))
          yield* record([
            report(
              job,
              seconds.map((second) => measured(second))
            )
          ])
        const seconds = journey.map(({ second }) => second)
        assert.strictEqual(yield* lastOf(job), Math.max(...seconds) / 1000)
        assert.deepStrictEqual(
          yield* trailOf(job),
          [...new Set(seconds)].toSorted((a, b) => a - b).map((second) => second / 1000)
        )
      }),
    { arbitrary: { runs: 25 } }
  )

  it.effect("concurrent ones of several drivers end with each driver's newest position", () =>
    Effect.gen(function* () {
      const record = yield* recording
      const business = yield* newBusiness()
      const jobs = yield* Effect.forEach([1, 2, 3, 4, 5], () => newJob(business))
      yield* atOnce(40, (round) =>
        record(
          // Each request has another order of drivers, so that locks in the given order would deadlock.
          jobs
            .map((_, index) => jobs[(index + round) % jobs.length])
            .flatMap((job) =>
              job === undefined ? [] : [report(job, [measured((round * 7) % 40), measured(round)])]
            )
        )
      )
      for (const job of jobs) {
        assert.strictEqual(yield* lastOf(job), 0.039)
        assert.lengthOf(yield* trailOf(job), 40)
      }
    })
  )

  it.effect("a report that comes after the assignment has ended is not recorded", () =>
    Effect.gen(function* () {
      const record = yield* recording
      const job = yield* newJob(yield* newBusiness())
      let ended = false
      const outcomes = yield* atOnce(30, (round) =>
        Effect.gen(function* () {
          if (round === 15) {
            yield* setJob(job, "completed")
            ended = true
            return []
          }
          const cameAfter = ended
          const [trips] = yield* record([report(job, [measured(round)])])
          return cameAfter && trips?.length !== 0 ? ["recorded too late"] : []
        })
      )
      assert.deepStrictEqual(outcomes.flat(), [])
      const kept = (yield* trailOf(job)).length
      assert.deepStrictEqual(yield* record([report(job, [measured(99)])]), [[]])
      assert.lengthOf(yield* trailOf(job), kept)
    })
  )

  it.effect(
    "the list holds the last position of every driver of the business who is under way, by driver",
    () =>
      Effect.gen(function* () {
        const { ofBusiness } = yield* DriverLocationRepository
        const record = yield* recording
        const [business, foreign] = [yield* newBusiness(), yield* newBusiness()]
        yield* newJob(business)
        const [one, other, ended, stranger] = [
          yield* newJob(business),
          yield* newJob(business),
          yield* newJob(business),
          yield* newJob(foreign)
        ]
        yield* record([other, one, ended, stranger].map((job) => report(job, [measured(3)])))
        yield* setJob(ended, "completed")
        const found = yield* ofBusiness(business, firstPage)
        assert.deepStrictEqual(
          found.items.map(({ assignment_id, driver_id, trip_id }) => [driver_id, trip_id, assignment_id]),
          [one, other].map(({ assignmentId, driverId, tripId }) => [driverId, tripId, assignmentId])
        )
        assert.deepStrictEqual([found.total, found.hasMore], [2, false])
        assert.deepInclude(found.items[0], measured(3))
        assert.deepStrictEqual(
          (yield* ofBusiness(business, { page: 2, perPage: 1 })).items.map((it) => it.trip_id),
          [other.tripId]
        )
        assert.deepStrictEqual(yield* ofBusiness(business, { page: 3, perPage: 1 }), {
          items: [],
          total: 2,
          hasMore: false
        })
      })
  )

  it.effect("a new position is written beside the old one, in no index", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ readonly columns: string }>`
        SELECT indexdef AS columns FROM pg_indexes WHERE tablename = 'driver_positions'`
      assert.lengthOf(rows, 1)
      assert.match(rows[0]?.columns ?? "", /\(business_id, assignment_id\)$/u)
    })
  )
})
