import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { assignment, driverOf } from "../support/Drivers.ts"
import { Ports } from "../support/TestPorts.ts"
import { business } from "../support/People.ts"
import { openServer, record, refusedAs, type TestServer } from "../support/TestServer.ts"

const scene = Effect.fnUntraced(function* (server: TestServer) {
  const sql = yield* SqlClient.SqlClient
  const acme = yield* business(server)
  const driver = yield* driverOf(server, acme.businessId)
  const job = yield* assignment(acme.businessId, { driverId: driver.driverId })
  /** A place, and how many seconds ago it was measured. */
  const at = (lat: number, ago: number) =>
    Effect.map(Clock.currentTimeMillis, (now) => ({
      lat,
      lng: 8.5,
      recorded_at: new Date(now - ago * 1000).toISOString()
    }))
  const post = (path: string, body: object) =>
    server.send("POST", `/me/driver${path}`, { credential: driver.token, body })
  const report = (tripId: number, status: string) =>
    Effect.map(
      server.send("PATCH", `/me/driver/trips/${tripId}`, { credential: driver.token, body: { status } }),
      record
    )
  const where = (tripId = job.tripId) =>
    Effect.map(
      server.send("GET", `/trips/${tripId}/location`, { credential: acme.key }),
      (answer) => record(answer)["position"] as { readonly lat: number } | null
    )
  const trail = Effect.map(
    sql<{ readonly lat: number }>`
      SELECT lat FROM driver_trail WHERE business_id = ${acme.businessId} ORDER BY recorded_at`,
    (rows) => rows.map(({ lat }) => lat)
  )
  return { acme, driver, job, at, post, report, where, trail }
})

layer(Ports)("a position", (it) => {
  it.effect("that was measured before the driver set out is not recorded, however late it comes", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { at, job, post, report, trail, where } = yield* scene(server)
      yield* report(job.tripId, "en_route")
      for (const early of [
        yield* at(1, 3 * 3600),
        yield* at(2, 61),
        { lat: 3, lng: 8.5, recorded_at: "1970-01-01T00:00:00Z" }
      ]) {
        assert.deepStrictEqual(record(yield* post("/location", early)), { recorded: false })
        const byToken = yield* server.send("POST", `/driver/location?token=${job.token}`, { body: early })
        assert.deepStrictEqual(record(byToken), { recorded: false })
      }
      assert.deepStrictEqual([yield* where(), yield* trail], [null, []])
    })
  )

  it.effect("may have been measured before the driver set out by as much as clocks may differ", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { at, job, post, report, where } = yield* scene(server)
      yield* report(job.tripId, "en_route")
      const edge = yield* at(1, 60)
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual(record(yield* post("/location", edge)), { recorded: true })
      assert.deepInclude(yield* where(), { lat: 1 })
      // A repeated report changes nothing.
      yield* report(job.tripId, "en_route")
      assert.deepStrictEqual(record(yield* post("/location", edge)), { recorded: true })
    })
  )

  it.effect("that was measured after a start without a connection is recorded once both arrive", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { at, driver, job, post, where } = yield* scene(server)
      const tap = (yield* at(0, 600)).recorded_at
      const started = yield* server.send("PATCH", `/me/driver/trips/${job.tripId}`, {
        credential: driver.token,
        body: { status: "en_route", at: tap }
      })
      assert.strictEqual(record(started)["status"], "en_route")
      const locations = [yield* at(1, 700), yield* at(2, 500), yield* at(3, 400)]
      assert.deepStrictEqual(record(yield* post("/locations", { locations })), { recorded: 2 })
      assert.strictEqual((yield* where())?.lat, 3)
    })
  )

  it.effect("of a batch is recorded if it was measured on the way; the answer counts those alone", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { at, job, post, report, trail, where } = yield* scene(server)
      const early = [yield* at(1, 600), yield* at(2, 300)]
      yield* report(job.tripId, "en_route")
      yield* TestClock.adjust("2 minutes")
      const late = [yield* at(4, 30), yield* at(3, 90)]
      assert.deepStrictEqual(record(yield* post("/locations", { locations: early })), { recorded: 0 })
      assert.deepStrictEqual(record(yield* post("/locations", { locations: [...late, ...early] })), {
        recorded: 2
      })
      assert.deepStrictEqual([(yield* where())?.lat, yield* trail], [4, [3, 4]])
      const tomorrow = yield* at(5, -61)
      assert.deepStrictEqual(record(yield* post("/locations", { locations: [tomorrow, ...late] })), {
        recorded: 3,
        clock_ahead: 1
      })
      assert.strictEqual((yield* where())?.lat, 5)
    })
  )

  it.effect("of a driver on two trips is recorded for those that were under way then", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { acme, at, driver, job, post, report, where } = yield* scene(server)
      const next = yield* assignment(acme.businessId, { driverId: driver.driverId })
      yield* report(job.tripId, "en_route")
      yield* TestClock.adjust("10 minutes")
      yield* report(next.tripId, "en_route")
      assert.deepStrictEqual(
        record(yield* post("/locations", { locations: [yield* at(1, 300), yield* at(2, 200)] })),
        { recorded: 2 }
      )
      assert.deepStrictEqual([(yield* where())?.lat, yield* where(next.tripId)], [2, null])
    })
  )

  it.effect(
    "of a driver who was assigned anew is recorded if it was measured after the driver set out again",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { acme, at, driver, job, post, report, where } = yield* scene(server)
        const assign = (driver_ids: ReadonlyArray<number>) =>
          server.send("POST", `/trips/${job.tripId}/drivers`, { credential: acme.key, body: { driver_ids } })
        yield* report(job.tripId, "en_route")
        assert.deepStrictEqual(record(yield* post("/location", yield* at(1, 0))), { recorded: true })
        record(yield* assign([]))
        record(yield* assign([driver.driverId]))
        yield* TestClock.adjust("10 minutes")
        yield* report(job.tripId, "en_route")
        assert.deepStrictEqual(record(yield* post("/location", yield* at(2, 300))), { recorded: false })
        assert.isNull(yield* where())
        assert.deepStrictEqual(record(yield* post("/location", yield* at(3, 30))), { recorded: true })
      })
  )

  it.effect("with a blank time is invalid: no time is required", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { post } = yield* scene(server)
      const blank = { lat: 1, lng: 8.5, recorded_at: "" }
      assert.deepStrictEqual(refusedAs(yield* post("/location", blank), 422, "invalid_request"), [
        { field: "recorded_at", issue: "invalid" }
      ])
      assert.deepStrictEqual(
        refusedAs(yield* post("/locations", { locations: [blank] }), 422, "invalid_request"),
        [{ field: "locations.0.recorded_at", issue: "invalid" }]
      )
    })
  )
})
