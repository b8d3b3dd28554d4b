import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assertPrivate } from "../support/DriverPrivacy.ts"
import { assignment, driverOf, employ } from "../support/Drivers.ts"
import { Ports } from "../support/TestPorts.ts"
import { assign, business, login, operator, setStatus } from "../support/People.ts"
import {
  type Answer,
  openServer,
  record,
  records,
  refusedAs,
  type TestServer
} from "../support/TestServer.ts"

const scene = Effect.fnUntraced(function* (server: TestServer) {
  const acme = yield* business(server)
  const driver = yield* driverOf(server, acme.businessId)
  const send = (
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {}
  ) =>
    Effect.tap(
      server.send(method, path, {
        credential: driver.token,
        headers,
        ...(body === undefined ? {} : { body })
      }),
      (answer) => Effect.sync(() => assertPrivate(answer))
    )
  return { acme, driver, send }
})

layer(Ports)("a signed-in driver", (it) => {
  it.effect("signs in, and gets the list of the businesses it drives for", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { acme, driver } = yield* scene(server)
      const signedIn = record(yield* login(server, driver))
      assert.deepStrictEqual(signedIn["businesses"], [
        { business_id: acme.businessId, business_name: acme.business_name }
      ])
      assert.deepInclude(signedIn["user"], { account_type: "D" })
    })
  )

  it.effect("sees its own jobs, soonest first, without price, payment status or the customer's email", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { acme, driver, send } = yield* scene(server)
      const mine = { driverId: driver.driverId }
      const later = yield* assignment(acme.businessId, { ...mine, pickup: "2026-11-20T12:00:00Z" })
      const sooner = yield* assignment(acme.businessId, { ...mine, pickup: "2026-11-20T11:00:00Z" })
      const before = yield* assignment(acme.businessId, {
        ...mine,
        status: "completed",
        pickup: "2026-11-19T11:00:00Z"
      })
      const others = yield* assignment(acme.businessId)
      const ids = (answer: Answer) => records(answer).map(({ trip_id }) => trip_id)
      const all = yield* send("GET", "/me/driver/trips")
      assert.deepStrictEqual(ids(all), [before.tripId, sooner.tripId, later.tripId])
      assert.deepInclude(all.body.meta?.pagination, {
        page: 1,
        per_page: 25,
        count: 3,
        total: 3,
        has_more: false
      })
      assert.deepStrictEqual(ids(yield* send("GET", "/me/driver/trips?filter=upcoming")), [
        sooner.tripId,
        later.tripId
      ])
      assert.deepStrictEqual(ids(yield* send("GET", "/me/driver/trips?filter=previous")), [before.tripId])
      assert.deepStrictEqual(ids(yield* send("GET", "/me/driver/trips?status=assigned&per_page=1&page=2")), [
        later.tripId
      ])
      assert.deepStrictEqual(
        refusedAs(
          yield* send("GET", "/me/driver/trips?filter=all&status=lost&page=0&per_page=101"),
          422,
          "invalid_request"
        ),
        [
          { field: "filter", issue: "unknown_value" },
          { field: "status", issue: "unknown_value" },
          { field: "page", issue: "out_of_range" },
          { field: "per_page", issue: "out_of_range" }
        ]
      )
      const one = yield* send("GET", `/me/driver/trips/${sooner.tripId}`)
      assert.deepInclude(record(one), {
        status: "assigned",
        trip_status: "confirmed",
        allowed_transitions: ["en_route", "cancelled"],
        customer_name: "Ada",
        customer_phone: "+41 44 000 00 00",
        pickup_at: "2026-11-20 11:00:00",
        accepted_at: null,
        milestones: []
      })
      for (const id of [others.tripId, 999_999_999, "x", "0"])
        refusedAs(yield* send("GET", `/me/driver/trips/${id}`), 404, "not_found")
    })
  )

  it.effect("gets the first response to a report that it sends again under its key", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { acme, driver, send } = yield* scene(server)
      const { tripId } = yield* assignment(acme.businessId, { driverId: driver.driverId })
      const path = `/me/driver/trips/${tripId}`
      for (const status of ["en_route", "completed"]) {
        const headers = { "idempotency-key": `report ${tripId} ${status}` }
        const first = yield* send("PATCH", path, { status }, headers)
        const again = yield* send("PATCH", path, { status }, headers)
        assert.deepInclude(record(first), { status })
        assert.deepStrictEqual(record(again), record(first))
        assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
      }
      refusedAs(
        yield* send(
          "PATCH",
          path,
          { status: "cancelled" },
          { "idempotency-key": `report ${tripId} completed` }
        ),
        409,
        "conflict"
      )
    })
  )

  it.effect("changes the status of its job, which changes that of the trip; an illegal change is 422", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { acme, driver, send } = yield* scene(server)
      const { tripId } = yield* assignment(acme.businessId, { driverId: driver.driverId })
      const path = `/me/driver/trips/${tripId}`
      const illegal = [{ field: "status", issue: "illegal_transition" }]
      assert.deepStrictEqual(
        refusedAs(yield* send("PATCH", path, { status: "completed" }), 422, "invalid_request"),
        illegal
      )
      assert.deepInclude(record(yield* send("PATCH", path, { status: "en_route" })), {
        status: "en_route",
        trip_status: "in_progress"
      })
      assert.deepInclude(record(yield* send("PATCH", path, { status: "en_route" })), { status: "en_route" })
      assert.deepInclude(record(yield* send("PATCH", path, { status: "completed" })), {
        status: "completed",
        trip_status: "completed",
        allowed_transitions: []
      })
      for (const status of ["en_route", "completed", "cancelled"])
        assert.deepStrictEqual(
          refusedAs(yield* send("PATCH", path, { status }), 422, "invalid_request"),
          illegal
        )
      refusedAs(yield* send("PATCH", path, { status: "confirmed" }), 422, "invalid_request")
      assert.deepStrictEqual(refusedAs(yield* send("PATCH", path, { nonsense: 1 }), 422, "invalid_request"), [
        { field: "status", issue: "required" }
      ])
      refusedAs(yield* send("PATCH", path), 400, "invalid_request")
    })
  )

  it.effect("reports milestones on the way, with time and place; the first of each counts", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { acme, driver, send } = yield* scene(server)
      const { tripId } = yield* assignment(acme.businessId, { driverId: driver.driverId, status: "en_route" })
      const path = `/me/driver/trips/${tripId}`
      const first = { milestone: "arrived_at_pickup", lat: 47.5, lng: 8.5, at: "2026-11-20T09:20:00Z" }
      const reached = [{ ...first, stop_index: null }]
      assert.deepInclude(record(yield* send("PATCH", path, first)), {
        status: "en_route",
        milestones: reached
      })
      assert.deepInclude(
        record(yield* send("PATCH", path, { ...first, lat: 1, at: "2026-11-20T09:25:00Z" })),
        {
          milestones: reached
        }
      )
    })
  )

  it.effect("changes a job by an If-Match only in the state that the tag names", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { acme, driver, send } = yield* scene(server)
      const { tripId } = yield* assignment(acme.businessId, { driverId: driver.driverId })
      const path = `/me/driver/trips/${tripId}`
      const seen = (yield* send("GET", path)).headers.get("etag") ?? ""
      const moved = yield* send("PATCH", path, { status: "en_route" }, { "if-match": seen })
      assert.strictEqual(moved.status, 200)
      refusedAs(yield* send("PATCH", path, { status: "completed" }, { "if-match": seen }), 409, "conflict")
      const now = moved.headers.get("etag") ?? ""
      assert.strictEqual((yield* send("GET", path)).headers.get("etag"), now)
      assert.strictEqual(
        (yield* send("PATCH", path, { status: "completed" }, { "if-match": now })).status,
        200
      )
    })
  )

  it.effect("reads its day and its cars", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const server = yield* openServer()
      const { acme, driver, send } = yield* scene(server)
      const { tripId } = yield* assignment(acme.businessId, { driverId: driver.driverId })
      yield* sql`
        INSERT INTO cars (business_id, name, plate_number, created_at, updated_at)
        VALUES (${acme.businessId}, 'Black', 'ZH 1', now(), now())`
      yield* sql`
        UPDATE trips SET car_id = (SELECT car_id FROM cars WHERE business_id = ${acme.businessId}) WHERE trip_id = ${tripId}`
      const reported = record(yield* send("GET", "/me/driver"))
      assert.deepInclude(reported, {
        driver_id: driver.driverId,
        name: "Joan",
        business: { business_id: acme.businessId, business_name: acme.business_name },
        trips_today: 1,
        trips_upcoming: 1,
        trips_completed: 0,
        default_car: null
      })
      assert.deepInclude((reported["upcoming_cars"] as ReadonlyArray<object>)[0], {
        name: "Black",
        plate_number: "ZH 1"
      })
      assert.deepInclude(record(yield* send("GET", `/me/driver/trips/${tripId}`))["car"], {
        plate_number: "ZH 1"
      })
    })
  )

  it.effect(
    "is refused within a second once its record is deleted, inactive, or its business suspended",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const server = yield* openServer()
        const { acme, driver, send } = yield* scene(server)
        const status = Effect.map(send("GET", "/me/driver"), (answer) => answer.status)
        assert.strictEqual(yield* status, 200)
        yield* sql`UPDATE drivers SET active = false WHERE driver_id = ${driver.driverId}`
        yield* setStatus(acme.businessId, "A")
        assert.strictEqual(yield* status, 403)
        yield* sql`UPDATE drivers SET active = true WHERE driver_id = ${driver.driverId}`
        yield* setStatus(acme.businessId, "D")
        refusedAs(yield* send("GET", "/me/driver"), 403, "account_suspended")
      })
  )

  it.effect("may be an administrator who acts for one business and drives for another", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { acme } = yield* scene(server)
      const person = yield* operator(server)
      const driverId = yield* employ(acme.businessId, person.userId)
      yield* assign(acme.businessId, person.userId)
      const credential = person.token
      assert.deepInclude(record(yield* server.send("GET", "/me/driver", { credential })), {
        driver_id: driverId
      })
      refusedAs(
        yield* server.send("GET", "/me/driver", { credential, business: person.businessId }),
        403,
        "forbidden"
      )
    })
  )
})
