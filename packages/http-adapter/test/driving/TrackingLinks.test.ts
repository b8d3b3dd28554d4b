import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { expireCredentials, Ports } from "../support/TestPorts.ts"
import { business, setStatus } from "../support/People.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"
import { here, driverUnderWay } from "./DriverUnderWay.ts"

layer(Ports)("a tracking link", (it) => {
  it.effect(
    "shows where the driver is, the driver's first name and the car, and nothing of the passenger",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { job, post, acme } = yield* driverUnderWay(server)
        const link = record(
          yield* server.send("POST", `/trips/${job.tripId}/tracking-link`, { credential: acme.key })
        )
        assert.match(String(link["token"]), /^lvt_b[0-9a-f]{11}_[\w-]{43}$/u)
        assert.match(
          String(link["url"]),
          /^http:\/\/[^/]+\/api\/v1\/public\/tracking\/lvt_b[0-9a-f]{11}_[\w-]{43}$/u
        )
        yield* post("/location", here)
        const seen = yield* server.send("GET", `/public/tracking/${String(link["token"])}`)
        assert.deepStrictEqual(Object.keys(record(seen)).toSorted(), [
          "age_seconds",
          "arrives_in_seconds",
          "business",
          "car",
          "driver",
          "driver_status",
          "dropoff_position",
          "map_style_url",
          "milestone",
          "pickup_at",
          "pickup_local",
          "pickup_pin",
          "pickup_position",
          "pickup_timezone",
          "position",
          "recorded_at",
          "stale",
          "status",
          "timezone",
          "trip_date"
        ])
        assert.deepInclude(record(seen), { status: "in_progress", age_seconds: 0, stale: false })
        assert.deepStrictEqual(record(seen)["driver"], { first_name: "Joan" })
        assert.notMatch(seen.text, /Ada|ada@|\+41|Here|There|TR-/u)
      })
  )

  it.effect("has the configured public address in its link", () =>
    Effect.gen(function* () {
      const server = yield* openServer({ publicUrl: "https://api.example.com" })
      const { acme, job } = yield* driverUnderWay(server)
      const link = record(
        yield* server.send("POST", `/trips/${job.tripId}/tracking-link`, { credential: acme.key })
      )
      assert.match(String(link["url"]), /^https:\/\/api\.example\.com\/api\/v1\/public\/tracking\/lvt_/u)
    })
  )

  it.effect(
    "ends with a new one, its removal and the trip's deletion, an hour after the trip's end, and while the business is suspended",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const server = yield* openServer()
        const { acme, driver, job, post } = yield* driverUnderWay(server)
        const path = `/trips/${job.tripId}/tracking-link`
        const share = Effect.map(server.send("POST", path, { credential: acme.key }), (answer) =>
          String(record(answer)["token"])
        )
        const remove = Effect.map(server.send("DELETE", path, { credential: acme.key }), record)
        const status = (token: string) =>
          Effect.map(server.send("GET", `/public/tracking/${token}`), (it) => it.status)
        const first = yield* share
        const second = yield* share
        assert.deepStrictEqual([yield* status(first), yield* status(second)], [404, 200])
        assert.deepStrictEqual(yield* remove, { deleted: true })
        assert.strictEqual(yield* status(second), 404)
        assert.deepStrictEqual(yield* remove, { deleted: false })
        const third = yield* share
        yield* setStatus(acme.businessId, "D")
        refusedAs(yield* server.send("GET", `/public/tracking/${third}`), 404, "not_found")
        yield* setStatus(acme.businessId, "A")
        assert.strictEqual(yield* status(third), 200)
        yield* sql`UPDATE trips SET deleted_at = now() WHERE trip_id = ${job.tripId}`
        assert.strictEqual(yield* status(third), 404)
        yield* sql`UPDATE trips SET deleted_at = NULL WHERE trip_id = ${job.tripId}`
        yield* post("/location", here)
        const completed = yield* server.send("PATCH", `/me/driver/trips/${job.tripId}`, {
          credential: driver.token,
          body: { status: "completed" }
        })
        assert.strictEqual(completed.status, 200)
        const over = record(yield* server.send("GET", `/public/tracking/${third}`))
        assert.deepInclude(over, { status: "completed", position: null, recorded_at: null })
        const last = yield* server.send("GET", `/public/tracking/${third}/stream`)
        assert.match(last.text, /event: status\ndata: \{"status":"completed"/u)
        yield* TestClock.adjust("59 minutes")
        assert.strictEqual(yield* status(third), 200)
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(yield* status(third), 404)
        refusedAs(yield* server.send("GET", `/public/tracking/${third}/stream`), 404, "not_found")
        refusedAs(yield* server.send("POST", path, { credential: acme.key }), 409, "conflict")
        for (const token of ["lvt_nothing", "x".repeat(5000), "%00"])
          refusedAs(yield* server.send("GET", `/public/tracking/${token}`), 404, "not_found")
      })
  )

  it.effect("is made and removed by the trip's own business alone", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { acme, job } = yield* driverUnderWay(server)
      const stranger = yield* business(server)
      const path = `/trips/${job.tripId}/tracking-link`
      const token = String(record(yield* server.send("POST", path, { credential: acme.key }))["token"])
      refusedAs(yield* server.send("POST", path, { credential: stranger.key }), 404, "not_found")
      refusedAs(yield* server.send("DELETE", path, { credential: stranger.key }), 404, "not_found")
      assert.strictEqual((yield* server.send("GET", `/public/tracking/${token}`)).status, 200)
    })
  )

  it.effect("may be followed 120 times a minute from one address, or as often as is set", () =>
    Effect.gen(function* () {
      const server = yield* openServer({ limits: { public: 2 } })
      const get = server.send("GET", "/public/tracking/lvt_x", { peer: "192.0.2.1" })
      const statuses = [yield* get, yield* get, yield* get].map(({ status }) => status)
      assert.deepStrictEqual(statuses, [404, 404, 429])
      yield* expireCredentials
    })
  )
})
