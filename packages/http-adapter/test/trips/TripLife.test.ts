import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { dispatcher, newDriver } from "../support/Dispatchers.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"

const issue = (field: string, issue: string) => ({ field, issue })

layer(PortsInMemory)("a trip over HTTP", (it) => {
  it.effect("asks for a confirmation of a start long before the pickup, if the business wants that", () =>
    Effect.gen(function* () {
      const { book, drivers, send } = yield* dispatcher(yield* openServer())
      const path = `/trips/${yield* book()}`
      const [driver_id] = drivers
      record(yield* send("POST", `${path}/drivers`, { driver_ids: [driver_id] }))
      record(yield* send("PATCH", "/settings/business", { early_start_minutes: 0 }))
      const report = (change: object) => send("PATCH", `${path}/driver-status`, { driver_id, ...change })
      const start = { status: "en_route" }
      refusedAs(yield* report(start), 409, "confirmation_required")
      assert.deepInclude(record(yield* report({ ...start, force: true })), { status: "in_progress" })
      record(yield* report(start))
      record(yield* report({ undo: true }))
      record(yield* send("PATCH", "/settings/business", { early_start_minutes: null }))
      assert.deepInclude(record(yield* report(start)), { status: "in_progress" })
    })
  )

  it.effect("returns from a start and a milestone that were slips", () =>
    Effect.gen(function* () {
      const { book, drivers, send } = yield* dispatcher(yield* openServer())
      const path = `/trips/${yield* book()}`
      const [driver_id] = drivers
      record(yield* send("POST", `${path}/drivers`, { driver_ids: [driver_id] }))
      const report = (change: object) => send("PATCH", `${path}/driver-status`, { driver_id, ...change })
      record(yield* report({ status: "en_route", milestone: "no_show", at: "2030-01-01T00:00:00Z" }))
      assert.deepStrictEqual(refusedAs(yield* report({ undo: true }), 422, "invalid_request"), [
        issue("status", "illegal_transition")
      ])
      const slip = { milestone: "no_show", undo: true }
      assert.deepStrictEqual(refusedAs(yield* report(slip), 422, "invalid_request"), [
        issue("reason", "required")
      ])
      record(yield* report({ ...slip, reason: "The passenger came" }))
      assert.deepInclude(record(yield* report({ undo: true })), {
        status: "confirmed",
        driver_status: "assigned"
      })
      const changes = records(yield* send("GET", `${path}/timeline`))
      assert.deepInclude(
        changes.find(({ change }) => change === "milestone_removed"),
        { after: { reason: "The passenger came" } }
      )
    })
  )

  it.effect("goes from booking to completion, and every read returns the same state", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { book, drivers, newEvents, send } = yield* dispatcher(server)
      const id = yield* book()
      const path = `/trips/${id}`
      const assigned = record(yield* send("POST", `${path}/drivers`, { driver_ids: drivers }))
      assert.deepStrictEqual(assigned["trip"], record(yield* send("GET", path)))
      assert.deepStrictEqual(assigned["warnings"], [])
      const [first, second] = drivers
      const report = (driver_id: number, status: string) =>
        send("PATCH", `${path}/driver-status`, { driver_id, status })
      const moved = yield* report(first, "en_route")
      assert.deepInclude(record(moved), { status: "in_progress", driver_status: "en_route" })
      const read = yield* send("GET", path)
      assert.deepStrictEqual(record(read), record(moved))
      assert.strictEqual(read.headers.get("etag"), moved.headers.get("etag"))
      assert.deepStrictEqual(records(yield* send("GET", "/trips"))[0], record(read))
      record(yield* report(first, "completed"))
      assert.deepInclude(record(yield* report(second, "completed")), { status: "completed" })
      assert.deepStrictEqual(yield* newEvents, [
        "trip.created",
        "driver.assigned",
        "trip.updated",
        "trip.updated",
        "trip.completed"
      ])
      const refusal = yield* report(second, "cancelled")
      assert.deepStrictEqual(refusedAs(refusal, 422, "invalid_request"), [
        issue("status", "illegal_transition")
      ])
    })
  )

  it.effect("changes by PATCH, with the clashes of its new time", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { book, drivers, newEvents, send } = yield* dispatcher(server)
      const [one, two] = [yield* book(), yield* book({ trip_date: "2026-12-24T20:00:00Z" })]
      for (const id of [one, two])
        record(yield* send("POST", `/trips/${id}/drivers`, { driver_ids: [drivers[0]] }))
      yield* newEvents
      const changed = yield* send("PATCH", `/trips/${two}`, {
        trip_date: "2026-12-24T18:30:00Z",
        customer_phone: "+41 1",
        nonsense: 1
      })
      const { warnings, ...trip } = record(changed)
      assert.deepStrictEqual(warnings, [{ type: "schedule_clash", driver_id: drivers[0], trip_id: one }])
      const read = yield* send("GET", `/trips/${two}`)
      assert.deepStrictEqual(record(read), trip)
      assert.strictEqual(read.headers.get("etag"), changed.headers.get("etag"))
      assert.deepStrictEqual(yield* newEvents, ["trip.updated"])
      record(yield* send("PATCH", `/trips/${two}`, { customer_phone: "+41 1" }))
      assert.deepStrictEqual(yield* newEvents, [])
    })
  )

  it.effect("names each wrong field of a change, and no field if none is known", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { book, send } = yield* dispatcher(server)
      const path = `/trips/${yield* book()}`
      const bad = {
        trip_date: "soon",
        status: "gone",
        customer_name: "",
        pickup_lat: 91,
        duration_minutes: 0,
        car_id: 1.5
      }
      const details = refusedAs(yield* send("PATCH", path, bad), 422, "invalid_request")
      assert.sameDeepMembers(
        [...(details ?? [])],
        [
          issue("trip_date", "invalid"),
          issue("duration_minutes", "out_of_range"),
          issue("customer_name", "required"),
          issue("car_id", "invalid"),
          issue("pickup_lat", "out_of_range"),
          issue("status", "unknown_value")
        ]
      )
      for (const body of [{}, { nonsense: 1 }, { force: true }])
        assert.isUndefined(refusedAs(yield* send("PATCH", path, body), 422, "invalid_request"))
      refusedAs(
        yield* send("PATCH", path, { car_id: 999_999_999, customer_id: 999_999_999 }),
        422,
        "invalid_request"
      )
    })
  )

  it.effect("is deleted with a body or without one, and with `force` if other records are affected", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { book, drivers, newEvents, send } = yield* dispatcher(server)
      const [plain, manned] = [yield* book(), yield* book()]
      record(yield* send("POST", `/trips/${manned}/drivers`, { driver_ids: drivers }))
      assert.deepStrictEqual(record(yield* send("DELETE", `/trips/${plain}`)), { deleted: true })
      for (const body of [undefined, {}, { force: false }])
        assert.deepStrictEqual(
          refusedAs(yield* send("DELETE", `/trips/${manned}`, body), 409, "confirmation_required"),
          drivers.map((driver_id) => ({ type: "assignment", driver_id }))
        )
      yield* newEvents
      assert.deepStrictEqual(record(yield* send("DELETE", `/trips/${manned}`, { force: true })), {
        deleted: true
      })
      assert.deepStrictEqual(yield* newEvents, ["trip.updated", "trip.cancelled", "driver.assigned"])
      for (const [method, path] of [
        ["GET", ""],
        ["PATCH", ""],
        ["DELETE", ""],
        ["GET", "/timeline"],
        ["POST", "/duplicate"],
        ["POST", "/drivers"],
        ["PATCH", "/driver-status"]
      ] as const)
        refusedAs(
          yield* send(
            method,
            `/trips/${manned}${path}`,
            method === "GET" ? undefined : { notes: "x", driver_ids: [], status: "cancelled" }
          ),
          404,
          "not_found"
        )
      assert.isEmpty(records(yield* send("GET", "/trips")))
    })
  )

  it.effect("a stale If-Match is a conflict for every way to change it, and nothing is changed", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { book, drivers, send } = yield* dispatcher(server)
      const path = `/trips/${yield* book()}`
      record(yield* send("POST", `${path}/drivers`, { driver_ids: [drivers[0]] }))
      const stale = { "If-Match": (yield* send("GET", path)).headers.get("etag") ?? "" }
      yield* TestClock.adjust("1 second")
      record(yield* send("PATCH", path, { notes: "x" }))
      const before = yield* send("GET", path)
      refusedAs(yield* send("PATCH", path, { notes: "y" }, stale), 409, "conflict")
      refusedAs(yield* send("PATCH", `${path}/driver-status`, { status: "en_route" }, stale), 409, "conflict")
      refusedAs(yield* send("DELETE", path, { force: true }, stale), 409, "conflict")
      assert.deepStrictEqual(record(yield* send("GET", path)), record(before))
      const fresh = { "If-Match": before.headers.get("etag") ?? "" }
      record(yield* send("PATCH", `${path}/driver-status`, { status: "en_route" }, fresh))
    })
  )

  it.effect("is booked once more with a body, with an empty one and with none", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { book, newEvents, send } = yield* dispatcher(server)
      const path = `/trips/${yield* book({ notes: "VIP" })}/duplicate`
      yield* newEvents
      for (const body of [undefined, {}, { trip_date: "2026-12-25T18:00:00Z", notes: null }]) {
        const answer = yield* send("POST", path, body)
        assert.strictEqual(answer.status, 201)
        assert.deepInclude(record(answer), {
          status: "confirmed",
          notes: body !== undefined && "notes" in body ? null : "VIP",
          trip_date:
            body !== undefined && "trip_date" in body ? "2026-12-25T18:00:00Z" : "2026-12-24T18:00:00Z"
        })
      }
      assert.deepStrictEqual(yield* newEvents, ["trip.created", "trip.created", "trip.created"])
    })
  )

  it.effect("has each change in its timeline, with its author and the fields before and after", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { book, drivers, send, token, userId } = yield* dispatcher(server)
      const path = `/trips/${yield* book()}`
      record(yield* send("POST", `${path}/drivers`, { driver_ids: [drivers[0]] }))
      record(
        yield* server.send("PATCH", path, {
          credential: token,
          body: { status: "cancelled", cancel_reason: "no_show", cancellation_fee: 20, notes: "waited" }
        })
      )
      const lines = records(yield* send("GET", `${path}/timeline`))
      assert.deepStrictEqual(
        lines.map(({ change, driver_id }) => [change, driver_id]),
        [
          ["created", null],
          ["driver_assigned", drivers[0]],
          ["driver_removed", drivers[0]],
          ["updated", null],
          ["status_changed", null]
        ]
      )
      assert.match(String(lines[0]?.["actor"]), /^api_key/u)
      assert.strictEqual(lines[4]?.["actor"], `user:${userId}`)
      assert.deepStrictEqual(lines[4]?.["before"], {
        status: "confirmed",
        cancel_reason: null,
        cancelled_by: null,
        cancellation_fee: null,
        cancelled_at: null
      })
      assert.deepInclude(lines[4]?.["after"], {
        status: "cancelled",
        cancellation_fee: 20,
        cancelled_by: "operator"
      })
      const page = yield* send("GET", `${path}/timeline?per_page=2&page=3`)
      assert.deepStrictEqual(page.body.meta?.pagination, {
        page: 3,
        per_page: 2,
        count: 1,
        total: 5,
        total_pages: 3,
        has_more: false
      })
    })
  )

  it.effect("takes at most 20 drivers, each once, all of them the business's own", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { book, businessId, drivers, send } = yield* dispatcher(server)
      const other = yield* dispatcher(server)
      const path = `/trips/${yield* book()}/drivers`
      const many = yield* Effect.forEach(Array.from({ length: 21 }), () => newDriver(businessId))
      const assign = (driver_ids: unknown) => send("POST", path, { driver_ids })
      assert.deepStrictEqual(refusedAs(yield* assign(many), 422, "invalid_request"), [
        issue("driver_ids", "too_long")
      ])
      assert.deepStrictEqual(
        refusedAs(yield* assign([drivers[0], other.drivers[0]]), 422, "invalid_request"),
        [issue("driver_ids.1", "not_found")]
      )
      assert.deepStrictEqual(refusedAs(yield* assign("all"), 422, "invalid_request"), [
        issue("driver_ids", "invalid")
      ])
      assert.deepStrictEqual(refusedAs(yield* assign(undefined), 422, "invalid_request"), [
        issue("driver_ids", "required")
      ])
      const twenty = record(yield* assign([...many.slice(1), ...many.slice(1)]))
      assert.lengthOf(twenty["drivers"] as ReadonlyArray<unknown>, 20)
      refusedAs(yield* other.send("POST", path, { driver_ids: [] }), 404, "not_found")
    })
  )
})
