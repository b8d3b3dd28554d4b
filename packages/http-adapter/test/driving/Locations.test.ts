import { assert, layer } from "@effect/vitest"
import { DriverLocationRepository } from "@livery/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { assignment } from "../support/Drivers.ts"
import { Ports } from "../support/TestPorts.ts"
import { business } from "../support/People.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { here, driverUnderWay } from "./DriverUnderWay.ts"

layer(Ports)("where a driver is", (it) => {
  it.effect("is recorded while en_route, and returned with its age", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { driver, job, post, read, where } = yield* driverUnderWay(server)
      assert.deepInclude(yield* where, {
        status: "in_progress",
        position: null,
        age_seconds: null,
        stale: true
      })
      const receipt = yield* post("/location", { ...here, accuracy: 5, heading: 90, speed: 12.5 })
      assert.deepStrictEqual(record(receipt), { recorded: true })
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(yield* where, {
        trip_id: job.tripId,
        status: "in_progress",
        driver_status: "en_route",
        trip_date: "2026-11-20T10:30:00Z",
        pickup_at: "2026-11-20 10:30:00",
        timezone: "UTC",
        pickup_timezone: "UTC",
        pickup_local: "2026-11-20 10:30:00",
        pickup_pin: null,
        position: { ...here, accuracy: 5, heading: 90, speed: 12.5 },
        recorded_at: (yield* where)["recorded_at"],
        age_seconds: 30,
        stale: false
      })
      yield* TestClock.adjust("91 seconds")
      assert.deepInclude(yield* where, { age_seconds: 121, stale: true })
      const [listed, ...others] = records(yield* read("/drivers/locations"))
      assert.isEmpty(others)
      assert.deepInclude(listed, {
        driver_id: driver.driverId,
        driver_name: "Joan",
        trip_id: job.tripId,
        ...here,
        age_seconds: 121,
        stale: true
      })
    })
  )

  it.effect("is not recorded before, nor once the job has ended, and no place is left on the map then", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { acme, driver, job, post, read, where } = yield* driverUnderWay(server)
      const next = yield* assignment(acme.businessId, { driverId: driver.driverId })
      yield* post("/location", here)
      assert.isNull(record(yield* read(`/trips/${next.tripId}/location`))["position"])
      yield* server.send("PATCH", `/me/driver/trips/${job.tripId}`, {
        credential: driver.token,
        body: { status: "completed" }
      })
      assert.deepStrictEqual(record(yield* post("/location", here)), { recorded: false })
      assert.deepStrictEqual(record(yield* post("/locations", { locations: [here, here] })), { recorded: 0 })
      assert.deepInclude(yield* where, { status: "completed", position: null })
      assert.deepStrictEqual(records(yield* read("/drivers/locations")), [])
    })
  )

  it.effect("is the newest report, in whatever order they come, one by one or together", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { ago, post, where } = yield* driverUnderWay(server)
      const at = (lat: number, seconds: number) =>
        Effect.map(ago(seconds), (recorded_at) => ({ lat, lng: 8.5, recorded_at }))
      const [old, newest, middle] = [yield* at(1, 300), yield* at(2, 10), yield* at(3, 100)]
      assert.deepStrictEqual(record(yield* post("/locations", { locations: [middle, newest, old] })), {
        recorded: 3
      })
      assert.deepStrictEqual(record(yield* post("/location", middle)), { recorded: true })
      assert.deepStrictEqual(record(yield* post("/location", old)), { recorded: true })
      assert.deepStrictEqual(record(yield* post("/locations", { locations: [old, middle] })), { recorded: 2 })
      assert.deepInclude((yield* where)["position"], { lat: 2 })
      assert.strictEqual((yield* where)["age_seconds"], 10)
    })
  )

  it.effect("is refused if it is not on the globe, naming every wrong field", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { post, where } = yield* driverUnderWay(server)
      assert.deepStrictEqual(refusedAs(yield* post("/location", { lat: 91 }), 422, "invalid_request"), [
        { field: "lat", issue: "out_of_range" },
        { field: "lng", issue: "required" }
      ])
      const batch = { locations: [here, { ...here, lat: 91 }, here, { ...here, lng: 181 }] }
      assert.deepStrictEqual(refusedAs(yield* post("/locations", batch), 422, "invalid_request"), [
        { field: "locations.1.lat", issue: "out_of_range" },
        { field: "locations.3.lng", issue: "out_of_range" }
      ])
      refusedAs(
        yield* post("/locations", { locations: Array.from({ length: 501 }, () => here) }),
        422,
        "invalid_request"
      )
      assert.isNull((yield* where)["position"], "nothing of a refused batch is kept")
      assert.deepStrictEqual(
        record(yield* post("/locations", { locations: Array.from({ length: 500 }, () => here) })),
        { recorded: 500 }
      )
    })
  )

  it.effect("has the server's time if the phone's clock is ahead, and the response says so", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { ago, post, where } = yield* driverUnderWay(server)
      const ahead = { ...here, recorded_at: yield* ago(-3600) }
      const near = { ...here, recorded_at: yield* ago(-59) }
      assert.deepStrictEqual(record(yield* post("/location", ahead)), { recorded: true, clock_ahead: true })
      assert.strictEqual((yield* where)["age_seconds"], 0)
      assert.deepStrictEqual(record(yield* post("/locations", { locations: [ahead, here, near, ahead] })), {
        recorded: 4,
        clock_ahead: 2
      })
    })
  )

  it.effect("is reported with a token for its own trip alone", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { acme, driver, where } = yield* driverUnderWay(server)
      const other = yield* assignment(acme.businessId, { driverId: driver.driverId, status: "en_route" })
      const reported = yield* server.send("POST", `/driver/location?token=${other.token}`, { body: here })
      assert.deepStrictEqual(record(reported), { recorded: true })
      assert.isNull((yield* where)["position"])
      const assigned = yield* assignment(acme.businessId)
      assert.deepStrictEqual(
        record(yield* server.send("POST", `/driver/location?token=${assigned.token}`, { body: here })),
        { recorded: false }
      )
    })
  )

  it.effect("is not found by another business, nor for a deleted trip", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const server = yield* openServer()
      const { job, post, read } = yield* driverUnderWay(server)
      yield* post("/location", here)
      const stranger = yield* business(server)
      const path = `/trips/${job.tripId}/location`
      refusedAs(yield* server.send("GET", path, { credential: stranger.key }), 404, "not_found")
      assert.deepStrictEqual(
        records(yield* server.send("GET", "/drivers/locations", { credential: stranger.key })),
        []
      )
      yield* sql`UPDATE trips SET deleted_at = now() WHERE trip_id = ${job.tripId}`
      refusedAs(yield* read(path), 404, "not_found")
    })
  )

  it.effect("of many drivers at once is written in few statements, and acknowledged once it is there", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const locations = yield* DriverLocationRepository
      const writes: Array<number> = []
      const counting = DriverLocationRepository.of({
        ...locations,
        record: (reports) => {
          writes.push(reports.length)
          return locations.record(reports)
        }
      })
      const server = yield* Effect.provideService(openServer(), DriverLocationRepository, counting)
      const acme = yield* business(server)
      const jobs = yield* Effect.forEach(Array.from({ length: 30 }), () =>
        assignment(acme.businessId, { status: "en_route" })
      )
      yield* Effect.forEach(
        jobs,
        ({ assignmentId, token }, index) =>
          Effect.gen(function* () {
            const body = { lat: index, lng: 8.5 }
            assert.deepStrictEqual(
              record(yield* server.send("POST", `/driver/location?token=${token}`, { body })),
              {
                recorded: true
              }
            )
            assert.deepStrictEqual(
              yield* sql`SELECT lat FROM driver_positions WHERE assignment_id = ${assignmentId}`,
              [{ lat: index }]
            )
          }),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(
        writes.reduce((sum, count) => sum + count, 0),
        30
      )
      assert.isBelow(writes.length, 15, String(writes))
    })
  )

  it.effect("ends with the job, also if both are reported at once", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { driver, job, post, where } = yield* driverUnderWay(server)
      const complete = server.send("PATCH", `/me/driver/trips/${job.tripId}`, {
        credential: driver.token,
        body: { status: "completed" }
      })
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, (_, index) => (index === 10 ? complete : post("/location", here))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
      assert.deepStrictEqual(record(yield* post("/location", here)), { recorded: false })
      assert.deepInclude(yield* where, { status: "completed", position: null })
    })
  )
})
