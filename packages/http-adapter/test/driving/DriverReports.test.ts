import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { assignment, driverOf } from "../support/Drivers.ts"
import { dispatcher, newDriver } from "../support/Dispatchers.ts"
import { Ports } from "../support/TestPorts.ts"
import { business } from "../support/People.ts"
import { openServer, record, records, refusedAs, type TestServer } from "../support/TestServer.ts"

const issue = (field: string, issue: string) => ({ field, issue })

const nothing = { milestone: null, lat: null, lng: null, at: null }

/**
 * A driver's job, and the functions that report on it: as the account, with the token, and as the operator for the
 * driver.
 */
const setUp = Effect.fnUntraced(function* (server: TestServer) {
  const acme = yield* business(server)
  const driver = yield* driverOf(server, acme.businessId)
  const job = yield* assignment(acme.businessId, { driverId: driver.driverId })
  const reportBy = {
    account: (body: object) =>
      server.send("PATCH", `/me/driver/trips/${job.tripId}`, { credential: driver.token, body }),
    token: (body: object) => server.send("POST", `/driver/status?token=${job.token}`, { body }),
    operator: (body: object) =>
      server.send("PATCH", `/trips/${job.tripId}/driver-status`, { credential: acme.key, body })
  }
  return { acme, driver, job, reportBy }
})

layer(Ports)("a report of a driver's part", (it) => {
  it.effect.each(["account", "token", "operator"] as const)(
    "by %s has null in a field as if the field were absent",
    (by) =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { reportBy } = yield* setUp(server)
        const send = reportBy[by]
        assert.strictEqual((yield* send({ status: "en_route", ...nothing, driver_id: null })).status, 200)
        const reached = yield* send({ ...nothing, status: null, milestone: "no_show" })
        assert.strictEqual(reached.status, 200, reached.text)
        assert.deepStrictEqual(refusedAs(yield* send({ ...nothing, status: null }), 422, "invalid_request"), [
          issue("status", "required")
        ])
      })
  )

  it.effect.each(["account", "token", "operator"] as const)(
    "by %s may have a place only if it has a milestone, and a time also if the driver starts",
    (by) =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { acme, job, reportBy } = yield* setUp(server)
        const send = reportBy[by]
        const place = { lat: 47.4, lng: 8.5, at: "2026-11-20T09:20:00Z" }
        assert.deepStrictEqual(
          refusedAs(yield* send({ status: "cancelled", ...place }), 422, "invalid_request"),
          [issue("lat", "invalid"), issue("lng", "invalid"), issue("at", "invalid")]
        )
        assert.deepStrictEqual(
          refusedAs(yield* send({ status: "en_route", ...place }), 422, "invalid_request"),
          [issue("lat", "invalid"), issue("lng", "invalid")]
        )
        assert.deepStrictEqual(
          refusedAs(yield* send({ status: "en_route", lng: 8.5 }), 422, "invalid_request"),
          [issue("lng", "invalid")]
        )
        assert.deepInclude(
          record(yield* server.send("GET", `/trips/${job.tripId}`, { credential: acme.key })),
          { driver_status: "assigned" }
        )
        const both = yield* send({ status: "en_route", milestone: "arrived_at_pickup", ...place })
        assert.include(
          both.text,
          JSON.stringify({
            milestone: "arrived_at_pickup",
            at: place.at,
            lat: 47.4,
            lng: 8.5,
            stop_index: null
          })
        )
      })
  )

  it.effect.each(["account", "token", "operator"] as const)(
    "by %s with a blank time is invalid: no time is required",
    (by) =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { reportBy } = yield* setUp(server)
        const blank = { status: "en_route", milestone: "no_show", at: " " }
        assert.deepStrictEqual(refusedAs(yield* reportBy[by](blank), 422, "invalid_request"), [
          issue("at", "invalid")
        ])
      })
  )
})

layer(Ports)("the report that ends an assignment", (it) => {
  it.effect(
    "is 401 when it comes again by the token, also under its Idempotency-Key: nothing is left to report",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { acme, job, reportBy } = yield* setUp(server)
        record(yield* reportBy.token({ status: "en_route" }))
        const end = server.send("POST", `/driver/status?token=${job.token}`, {
          headers: { "Idempotency-Key": "end-1" },
          body: { status: "completed" }
        })
        assert.deepInclude(record(yield* end), { status: "completed" })
        refusedAs(yield* end, 401, "unauthorized")
        assert.deepInclude(
          record(yield* server.send("GET", `/trips/${job.tripId}`, { credential: acme.key })),
          { status: "completed" }
        )
      })
  )
})

layer(Ports)("an operator's report for a driver", (it) => {
  it.effect(
    "is illegal if the assignment was cancelled, until it is made anew, and not found for a driver without one",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { book, businessId, drivers, send } = yield* dispatcher(server)
        const path = `/trips/${yield* book()}`
        record(yield* send("POST", `${path}/drivers`, { driver_ids: drivers }))
        const report = (body: object) => send("PATCH", `${path}/driver-status`, body)
        const [first] = drivers
        record(yield* report({ driver_id: first, status: "cancelled" }))
        for (const status of ["en_route", "completed", "cancelled"]) {
          const refusal = yield* report({ driver_id: first, status })
          assert.deepStrictEqual(refusedAs(refusal, 422, "invalid_request"), [
            issue("status", "illegal_transition")
          ])
          assert.strictEqual(
            refusal.body.error?.message,
            `A driver's assignment that is cancelled cannot become ${status}: it is final`
          )
        }
        assert.deepStrictEqual(
          refusedAs(yield* report({ driver_id: first, milestone: "no_show" }), 422, "invalid_request"),
          [issue("milestone", "illegal_transition")]
        )
        for (const driver_id of [yield* newDriver(businessId), 999_999_999])
          assert.deepStrictEqual(
            refusedAs(yield* report({ driver_id, status: "en_route" }), 422, "invalid_request"),
            [issue("driver_id", "not_found")]
          )
        record(yield* send("POST", `${path}/drivers`, { driver_ids: drivers }))
        assert.deepInclude(record(yield* report({ driver_id: first, status: "en_route" })), {
          driver_status: "en_route"
        })
      })
  )

  it.effect("of a trip without drivers is illegal, and the error says that it has to be assigned first", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { book, drivers, send } = yield* dispatcher(server)
      const path = `/trips/${yield* book()}`
      const report = (body: object) => send("PATCH", `${path}/driver-status`, body)
      const isRefused = Effect.gen(function* () {
        const refusal = yield* report({ status: "en_route" })
        assert.deepStrictEqual(refusedAs(refusal, 422, "invalid_request"), [
          issue("status", "illegal_transition")
        ])
        return refusal.body.error?.message
      })
      const unassigned =
        "A trip's driver status that is unassigned cannot become en_route; it may become assigned"
      assert.strictEqual(yield* isRefused, unassigned)
      assert.deepStrictEqual(refusedAs(yield* report({ nonsense: 1 }), 422, "invalid_request"), [
        issue("status", "required")
      ])
      assert.deepStrictEqual(refusedAs(yield* report({ milestone: "no_show" }), 422, "invalid_request"), [
        issue("milestone", "illegal_transition")
      ])
      record(yield* send("POST", `${path}/drivers`, { driver_ids: [drivers[0]] }))
      record(yield* report({ status: "cancelled" }))
      assert.strictEqual(yield* isRefused, unassigned)
      record(yield* send("PATCH", path, { status: "cancelled" }))
      assert.strictEqual(yield* isRefused, "A trip that is cancelled cannot become en_route: it is final")
    })
  )
})

layer(Ports)("a driver's jobs", (it) => {
  it.effect(
    "are listed by the time of their trips, also if a trip was moved after the driver had ended the job",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { book, businessId, drivers, send } = yield* dispatcher(server)
        const driver = yield* driverOf(server, businessId)
        const mine = (path = "") => server.send("GET", `/me/driver${path}`, { credential: driver.token })
        const today = { trip_date: "2026-11-20T18:00:00Z" }
        const [done, dropped, waiting] = [
          yield* book(today),
          yield* book(today),
          yield* book({ trip_date: "2026-11-21T18:00:00Z" })
        ]
        for (const trip of [done, dropped, waiting])
          record(yield* send("POST", `/trips/${trip}/drivers`, { driver_ids: [driver.driverId, drivers[0]] }))
        const report = (trip: number, status: string) =>
          send("PATCH", `/trips/${trip}/driver-status`, { driver_id: driver.driverId, status })
        record(yield* report(done, "completed"))
        record(yield* report(dropped, "cancelled"))
        assert.deepInclude(record(yield* mine()), { trips_today: 1 })
        for (const trip of [done, dropped])
          record(
            yield* send("PATCH", `/trips/${trip}`, {
              trip_date: `2026-11-22T1${trip === done ? 2 : 1}:00:00Z`
            })
          )
        const jobs = records(yield* mine("/trips"))
        assert.deepStrictEqual(
          jobs.map(({ trip_id }) => trip_id),
          [waiting, dropped, done]
        )
        const dates = jobs.map(({ trip_date }) => String(trip_date))
        assert.deepStrictEqual(dates, dates.toSorted())
        assert.deepInclude(record(yield* mine()), { trips_today: 0 })
      })
  )
})
