import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { company, wrong } from "../support/Fleet.ts"
import { expireCredentials, Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"

const full = {
  external_ref: "X-1",
  name: "Dan",
  email: "Dan@Example.com",
  phone: "+41 79 123 45 67",
  license_number: "CH-1",
  license_expires_on: "2028-02-29",
  photo_url: "https://example.com/dan.jpg",
  home_address: "Seestrasse 1",
  home_lat: 47.31,
  home_lng: 8.55,
  active: true
}

layer(Ports)("drivers", (it) => {
  it.effect("are made, read, changed and deleted, each with its ETag", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { car, send } = yield* company(server)
      const { car_id } = yield* car()
      const made = yield* send("POST", "/drivers", { ...full, default_car_id: car_id, user_id: 1 })
      assert.strictEqual(made.status, 201)
      const { driver_id, ...driver } = record(made)
      const path = `/drivers/${String(driver_id)}`
      assert.deepInclude(driver, { ...full, email: "dan@example.com", default_car_id: car_id, user_id: null })
      assert.deepStrictEqual(
        Object.keys(driver).sort(),
        [...Object.keys(full), "created_at", "default_car_id", "updated_at", "user_id"].sort()
      )
      const read = yield* send("GET", path)
      assert.deepStrictEqual(record(read), record(made))
      const changed = yield* send("PATCH", path, { email: null, default_car_id: null, phone: "1" })
      assert.deepInclude(record(changed), { email: null, default_car_id: null, phone: "1", name: "Dan" })
      const stale = { "if-match": read.headers.get("etag") ?? "" }
      refusedAs(yield* send("PATCH", path, { name: "E" }, stale), 409, "conflict")
      refusedAs(yield* send("DELETE", path, { force: true }, stale), 409, "conflict")
      assert.deepStrictEqual(record(yield* send("DELETE", path)), { deleted: true })
      for (const [method, tail, body] of [
        ["GET", "", undefined],
        ["PATCH", "", { name: "X" }],
        ["DELETE", "", undefined],
        ["POST", "/invite", undefined],
        ["GET", "/availability", undefined]
      ] as const)
        refusedAs(yield* send(method, path + tail, body), 404, "not_found")
    })
  )

  it.effect("with wrong fields are refused, naming all of them, and nothing is written", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { driver, send } = yield* company(server)
      const bad = {
        name: "",
        email: "dan@",
        phone: "1".repeat(41),
        license_number: "x".repeat(61),
        license_expires_on: "2027-02-29",
        default_car_id: -1,
        photo_url: "ftp://example.com/x",
        active: 1
      }
      const issues = wrong({
        name: "required",
        email: "invalid",
        phone: "too_long",
        license_number: "too_long",
        license_expires_on: "invalid",
        default_car_id: "out_of_range",
        photo_url: "invalid",
        active: "invalid"
      })
      const details = (answer: Parameters<typeof refusedAs>[0]) => [
        ...(refusedAs(answer, 422, "invalid_request") ?? [])
      ]
      assert.sameDeepMembers(details(yield* send("POST", "/drivers", bad)), issues)
      const before = yield* driver()
      const path = `/drivers/${String(before["driver_id"])}`
      assert.sameDeepMembers(details(yield* send("PATCH", path, bad)), issues)
      for (const nothing of [{}, { confirm_seat: true }, { user_id: 1 }])
        assert.isEmpty(details(yield* send("PATCH", path, nothing)))
      assert.deepStrictEqual(record(yield* send("GET", path)), before)
      assert.lengthOf(records(yield* send("GET", "/drivers")), 1)
    })
  )

  it.effect("may not have a car that is absent, another business's, deleted or out of use", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { car, driver, send } = yield* company(server)
      const foreign = yield* (yield* company(server)).car()
      const idle = yield* car({ active: false })
      const gone = yield* car()
      record(yield* send("DELETE", `/cars/${String(gone["car_id"])}`))
      const { driver_id } = yield* driver()
      const path = `/drivers/${String(driver_id)}`
      for (const default_car_id of [999_999, foreign["car_id"], idle["car_id"], gone["car_id"]])
        for (const [method, at] of [
          ["POST", "/drivers"],
          ["PATCH", path]
        ] as const)
          assert.deepStrictEqual(
            refusedAs(yield* send(method, at, { name: "E", default_car_id }), 422, "invalid_request"),
            wrong({ default_car_id: "not_found" })
          )
      assert.deepInclude(record(yield* send("GET", path)), { name: "Dan", default_car_id: null })
      // A car that becomes inactive stays with its driver.
      const { car_id } = yield* car()
      record(yield* send("PATCH", path, { default_car_id: car_id }))
      record(yield* send("PATCH", `/cars/${String(car_id)}`, { active: false }))
      record(yield* send("PATCH", path, { default_car_id: car_id, name: "F" }))
    })
  )

  it.effect("are listed by name, then id, all or those who can be given work or not", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { driver, send } = yield* company(server)
      yield* (yield* company(server)).driver({ name: "Alien" })
      for (const name of ["B", "A", "B"]) yield* driver({ name, active: name !== "A" })
      const names = (query: string) =>
        Effect.map(send("GET", `/drivers${query}`), (answer) => records(answer).map(({ name }) => name))
      assert.deepStrictEqual(yield* names(""), ["A", "B", "B"])
      assert.deepStrictEqual(yield* names("?active=true&per_page=1&page=2"), ["B"])
      assert.deepStrictEqual(yield* names("?active=false"), ["A"])
    })
  )
})

layer(Ports)("deleting a driver", (it) => {
  it.effect(
    "with live assignments asks for confirmation; forced, they are cancelled and the trip looks for another",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const sql = yield* SqlClient.SqlClient
        const { businessId, driver, send, trip } = yield* company(server)
        const [{ driver_id }, other] = [yield* driver(), yield* driver({ name: "Eve" })]
        const { trip_id } = yield* trip()
        record(
          yield* send("POST", `/trips/${String(trip_id)}/drivers`, {
            driver_ids: [driver_id, other["driver_id"]]
          })
        )
        const path = `/drivers/${String(driver_id)}`
        assert.deepStrictEqual<unknown>(
          refusedAs(yield* send("DELETE", path), 409, "confirmation_required"),
          [{ trip_id }]
        )
        assert.deepStrictEqual(record(yield* send("DELETE", path, { force: true })), { deleted: true })
        const live = yield* sql<{ driver_id: number }>`
        SELECT driver_id FROM assignments WHERE business_id = ${businessId} AND status = 'assigned'`
        assert.deepStrictEqual<unknown>(
          live.map(({ driver_id }) => driver_id),
          [other["driver_id"]]
        )
        const [last] = yield* sql<{ body: string }>`
        SELECT body FROM events WHERE business_id = ${businessId} AND event_type = 'driver.assigned'
        ORDER BY sequence DESC LIMIT 1`
        const { data } = JSON.parse(last?.body ?? "{}") as { data: { driver_ids: unknown } }
        assert.deepStrictEqual(data.driver_ids, [other["driver_id"]])
        refusedAs(yield* send("GET", path), 404, "not_found")
        assert.lengthOf(yield* sql`SELECT FROM drivers WHERE driver_id = ${Number(driver_id)}`, 1)
        const again = yield* send("POST", `/trips/${String(trip_id)}/drivers`, { driver_ids: [driver_id] })
        assert.strictEqual(again.status, 422)
      })
  )

  it.effect("whom nothing refers to removes the row", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { driver, send } = yield* company(server)
      const { driver_id } = yield* driver({ email: "gone@example.com" })
      record(yield* send("POST", `/drivers/${String(driver_id)}/invite`))
      record(yield* send("DELETE", `/drivers/${String(driver_id)}`))
      assert.isEmpty(yield* sql`SELECT FROM drivers WHERE driver_id = ${Number(driver_id)}`)
    })
  )
})

layer(Ports)("a driver's availability", (it) => {
  it.effect("lists the trips of the requested days, in the business's time zone", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { businessId, driver, send, trip } = yield* company(server)
      yield* sql`UPDATE businesses SET timezone = 'Europe/Zurich' WHERE business_id = ${businessId}`
      yield* expireCredentials
      const { driver_id } = yield* driver()
      const path = `/drivers/${String(driver_id)}/availability`
      const busy = (query: string) => Effect.map(send("GET", path + query), record)
      const assigned = Effect.fnUntraced(function* (trip_date: string) {
        const made = yield* trip({ trip_date })
        record(yield* send("POST", `/trips/${String(made["trip_id"])}/drivers`, { driver_ids: [driver_id] }))
        return made
      })
      // Half past midnight in Zurich.
      const [late, noon] = [yield* assigned("2026-11-20T23:30:00Z"), yield* assigned("2026-11-20T11:00:00Z")]
      const reported = yield* busy("")
      assert.deepInclude(reported, { driver_id, date_from: "2026-11-20", date_to: "2026-11-20" })
      const [first, ...others] = reported["busy"] as ReadonlyArray<Record<string, unknown>>
      assert.isEmpty(others)
      assert.deepInclude(first, {
        trip_id: noon["trip_id"],
        reference: noon["reference"],
        from: "2026-11-20T11:00:00Z"
      })
      assert.isAbove(Date.parse(String(first?.["to"])), Date.parse("2026-11-20T11:00:00Z"))
      const both = (yield* busy("?date_from=2026-11-20&date_to=2026-11-21"))["busy"]
      assert.deepStrictEqual(
        (both as ReadonlyArray<Record<string, unknown>>).map(({ trip_id }) => trip_id),
        [noon["trip_id"], late["trip_id"]]
      )
      record(yield* send("POST", `/trips/${String(noon["trip_id"])}/drivers`, { driver_ids: [] }))
      assert.isEmpty((yield* busy(""))["busy"])
    })
  )

  it.effect("covers 31 days at most, in their order", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { driver, send } = yield* company(server)
      const { driver_id } = yield* driver()
      const ask = (query: string) => send("GET", `/drivers/${String(driver_id)}/availability?${query}`)
      record(yield* ask("date_from=2026-11-01&date_to=2026-12-01"))
      for (const query of [
        "date_from=2026-11-01&date_to=2026-12-02",
        "date_from=2026-11-02&date_to=2026-11-01",
        "date_to=2026-11-19"
      ])
        assert.deepStrictEqual(
          refusedAs(yield* ask(query), 422, "invalid_request"),
          wrong({ date_to: "out_of_range" })
        )
      assert.deepStrictEqual(
        refusedAs(yield* ask("date_from=yesterday&date_to=2026-02-30"), 422, "invalid_request"),
        wrong({ date_from: "invalid", date_to: "invalid" })
      )
    })
  )
})
