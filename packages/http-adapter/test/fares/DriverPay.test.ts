import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { company, wrong } from "../support/Fleet.ts"
import { assign, operator } from "../support/People.ts"
import { expireCredentials, PortsInMemory } from "../support/TestPorts.ts"
import { openServer, record, refusedAs, type TestServer } from "../support/TestServer.ts"

const shared = {
  valid_from: "2026-01-01",
  name: "Forty percent",
  currency: "USD",
  shares: [{ id: "ride", steps: ["base"], percent: 40 }]
}
const hourly = { valid_from: "2026-12-25", name: "By the hour", currency: "USD", per_hour: 30 }

/** A business in Zurich with a paid driver, and the function that completes a trip of the driver. */
const employer = Effect.fnUntraced(function* (server: TestServer) {
  const owner = yield* company(server)
  const { send } = owner
  record(yield* send("PATCH", "/settings/business", { timezone: "Europe/Zurich" }))
  yield* expireCredentials
  const { driver_id } = yield* owner.driver()
  const path = `/drivers/${String(driver_id)}`
  const pays = (...schemes: ReadonlyArray<object>) => send("PATCH", `${path}/pay`, { schemes })
  /** The drivers of a trip set out at its time, and complete it `minutes` later. */
  const complete = Effect.fnUntraced(function* (
    trip_id: unknown,
    trip_date: string,
    minutes = 60,
    drivers: ReadonlyArray<unknown> = [driver_id]
  ) {
    record(yield* send("POST", `/trips/${String(trip_id)}/drivers`, { driver_ids: drivers }))
    const report = (driver: unknown, status: string) =>
      send("PATCH", `/trips/${String(trip_id)}/driver-status`, { status, driver_id: driver })
    yield* TestClock.setTime(Date.parse(trip_date))
    for (const driver of drivers) record(yield* report(driver, "en_route"))
    yield* TestClock.adjust(`${minutes} minutes`)
    for (const driver of drivers) record(yield* report(driver, "completed"))
  })
  /** Books a trip and completes it. */
  const completed = Effect.fnUntraced(function* (
    trip_date: string,
    body: object = {},
    minutes = 60,
    drivers?: ReadonlyArray<unknown>
  ) {
    const { trip_id } = yield* owner.trip({ trip_date, total_amount: 100, ...body })
    yield* complete(trip_id, trip_date, minutes, drivers)
    return trip_id
  })
  const statement = (days: string, of = path) => send("GET", `${of}/statement?${days}`)
  return { ...owner, complete, completed, driver_id, path, pays, statement }
})

const december = "from=2026-12-01&to=2026-12-31"

layer(PortsInMemory)("a driver's statement", (it) => {
  it.effect(
    "has the pay of each completed trip, line by line, by the scheme of its day, and the totals",
    () =>
      Effect.gen(function* () {
        const { completed, driver_id, pays, statement, trip } = yield* employer(yield* openServer())
        record(yield* pays(hourly, shared))
        const first = yield* completed("2026-12-24T09:00:00Z")
        const second = yield* completed("2026-12-25T09:00:00Z", {}, 90)
        yield* trip({ trip_date: "2026-12-26T09:00:00Z" })
        const found = record(yield* statement(december))
        assert.deepInclude(found, {
          driver_id,
          name: "Dan",
          from: "2026-12-01",
          to: "2026-12-31",
          timezone: "Europe/Zurich",
          totals: [{ currency: "USD", trips: 2, total_amount: 85 }]
        })
        const trips = found["trips"] as ReadonlyArray<Record<string, unknown>>
        assert.deepInclude(trips[0], {
          trip_id: first,
          pickup_at: "2026-12-24 10:00:00",
          scheme: "Forty percent",
          drivers: 1,
          total_amount: 40,
          lines: [{ step: "share", rule: "ride", inputs: { percent: 40 }, of_amount: 100, amount: 40 }]
        })
        assert.deepInclude(trips[1], {
          trip_id: second,
          scheme: "By the hour",
          minutes: 90,
          total_amount: 45,
          lines: [{ step: "hours", rule: "hours", inputs: { minutes: 90 }, of_amount: null, amount: 45 }]
        })
        assert.lengthOf(trips, 2)
      })
  )

  it.effect("counts days on the business's clock, both inclusive", () =>
    Effect.gen(function* () {
      const { completed, statement } = yield* employer(yield* openServer())
      const early = yield* completed("2026-11-30T23:00:00Z")
      yield* completed("2026-12-31T23:00:00Z")
      const idsOf = (days: string) =>
        Effect.map(statement(days), (answer) =>
          (record(answer)["trips"] as ReadonlyArray<Record<string, unknown>>).map(({ trip_id }) => trip_id)
        )
      assert.deepStrictEqual(yield* idsOf(december), [early])
      assert.deepStrictEqual(yield* idsOf("from=2026-11-01&to=2026-11-30"), [])
      assert.deepStrictEqual(yield* idsOf("from=2026-12-01&to=2026-12-01"), [early])
    })
  )

  it.effect(
    "totals each currency, splits shares among the drivers, and lists trips that no scheme pays",
    () =>
      Effect.gen(function* () {
        const { completed, driver, driver_id, pays, statement } = yield* employer(yield* openServer())
        const { driver_id: second } = yield* driver({ name: "Eve" })
        record(yield* pays(shared, { ...shared, currency: "EUR" }))
        yield* completed("2026-12-10T09:00:00Z", { total_amount: 0.05 }, 60, [driver_id, second])
        yield* completed("2026-12-11T09:00:00Z", { currency: "EUR" })
        yield* completed("2026-12-12T09:00:00Z", { currency: "CHF" })
        const own = record(yield* statement(december))
        assert.deepStrictEqual(own["totals"], [
          { currency: "CHF", trips: 1, total_amount: 0 },
          { currency: "EUR", trips: 1, total_amount: 40 },
          { currency: "USD", trips: 1, total_amount: 0.01 }
        ])
        const trips = own["trips"] as ReadonlyArray<Record<string, unknown>>
        assert.deepInclude(trips[2], { scheme: null, lines: [], total_amount: 0, currency: "CHF" })
        const others = record(yield* statement(december, `/drivers/${String(second)}`))
        assert.deepInclude(others, { totals: [{ currency: "USD", trips: 1, total_amount: 0 }] })
      })
  )

  it.effect("shares the lines of the fare that the trip was charged", () =>
    Effect.gen(function* () {
      const { driver_id, pays, send, statement, trip } = yield* employer(yield* openServer())
      yield* send("POST", "/tariffs", {
        name: "Prices",
        currency: "USD",
        classes: [{ vehicle_class: "sedan", distance: [{ base: 50 }] }],
        modifiers: { waiting: [{ free_minutes: 15, amount: 1 }] }
      })
      const shares = [
        { id: "ride", steps: ["base"], percent: 50 },
        { id: "waiting", steps: ["waiting"], percent: 100 }
      ]
      record(yield* pays({ ...shared, shares }))
      const { trip_id } = yield* trip({ distance_m: 1000 })
      const path = `/trips/${String(trip_id)}`
      record(yield* send("POST", `${path}/fare`, { vehicle_class: "sedan" }))
      record(yield* send("POST", `${path}/drivers`, { driver_ids: [driver_id] }))
      const report = (body: object) => Effect.map(send("PATCH", `${path}/driver-status`, body), record)
      yield* TestClock.setTime(Date.parse("2026-12-24T18:25:00Z"))
      const at = "2026-12-24T18:00:00Z"
      yield* report({ status: "en_route", milestone: "arrived_at_pickup", at })
      yield* report({ milestone: "passenger_on_board" })
      yield* report({ status: "completed" })
      assert.deepInclude(record(yield* statement(december)), {
        totals: [{ currency: "USD", trips: 1, total_amount: 35 }]
      })
    })
  )

  it.effect("shares the whole price of a trip whose currency was changed after it was charged", () =>
    Effect.gen(function* () {
      const { complete, pays, send, statement, trip } = yield* employer(yield* openServer())
      yield* send("POST", "/tariffs", {
        name: "Prices",
        currency: "USD",
        classes: [{ vehicle_class: "sedan", distance: [{ base: 50.5 }] }],
        modifiers: { minimum: [{ amount: 60 }] }
      })
      const schemes = ["USD", "EUR", "JPY"].map((currency) => ({ ...shared, currency }))
      record(yield* pays(...schemes))
      const trip_date = "2026-12-24T09:00:00Z"
      const { trip_id } = yield* trip({ trip_date, distance_m: 1000 })
      const path = `/trips/${String(trip_id)}`
      record(yield* send("POST", `${path}/fare`, { vehicle_class: "sedan" }))
      yield* complete(trip_id, trip_date)
      const totals = Effect.map(statement(december), (answer) => record(answer)["totals"])
      assert.deepStrictEqual(yield* totals, [{ currency: "USD", trips: 1, total_amount: 20.2 }])
      for (const currency of ["EUR", "JPY"]) {
        record(yield* send("PATCH", path, { currency }))
        assert.deepStrictEqual(yield* totals, [{ currency, trips: 1, total_amount: 24 }])
      }
    })
  )

  it.effect("is refused with wrong days, naming them, and for a driver of another business", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { path, pays, send, statement } = yield* employer(server)
      const other = yield* employer(server)
      const issuesOf = (days: string) =>
        Effect.map(statement(days), (answer) => [...(refusedAs(answer, 422, "invalid_request") ?? [])])
      assert.sameDeepMembers(yield* issuesOf(""), wrong({ from: "required", to: "required" }))
      assert.sameDeepMembers(
        yield* issuesOf("from=2026-02-30&to=soon"),
        wrong({ from: "invalid", to: "invalid" })
      )
      const wrongOrder = wrong({ to: "out_of_range" })
      assert.deepStrictEqual(yield* issuesOf("from=2026-12-02&to=2026-12-01"), wrongOrder)
      assert.deepStrictEqual(yield* issuesOf("from=2026-01-01&to=2026-04-03"), wrongOrder)
      record(yield* statement("from=2026-01-01&to=2026-04-02"))
      refusedAs(yield* other.statement(december, path), 404, "not_found")
      for (const method of ["GET", "PATCH"])
        refusedAs(
          yield* other.send(method, `${path}/pay`, method === "GET" ? undefined : { schemes: [] }),
          404,
          "not_found"
        )
      record(yield* pays(shared))
      const before = yield* send("GET", `${path}/pay`)
      const bad = [
        { ...shared, currency: "JPY", flat: 0.5, shares: [{ id: "none", steps: [], percent: 1 }] },
        shared,
        shared,
        { ...hourly, per_hour: null },
        { ...shared, valid_from: "2026-13-01" }
      ]
      assert.sameDeepMembers(
        [...(refusedAs(yield* pays(...bad), 422, "invalid_request") ?? [])],
        wrong({ "schemes.4.valid_from": "invalid" })
      )
      assert.sameDeepMembers(
        [...(refusedAs(yield* pays(...bad.slice(0, 4)), 422, "invalid_request") ?? [])],
        wrong({
          "schemes.0.flat": "invalid",
          "schemes.0.shares.0.steps": "required",
          "schemes.2.valid_from": "invalid",
          "schemes.3.shares": "required"
        })
      )
      const stale = { "if-match": '"stale"' }
      refusedAs(yield* send("PATCH", `${path}/pay`, { schemes: [] }, stale), 409, "conflict")
      refusedAs(yield* send("PATCH", `${path}/pay`, {}), 422, "invalid_request")
      assert.deepStrictEqual(record(yield* send("GET", `${path}/pay`)), record(before))
    })
  )

  it.effect("names a share without an id after its position", () =>
    Effect.gen(function* () {
      const { completed, pays, path, send, statement } = yield* employer(yield* openServer())
      const half = { steps: ["base"], percent: 50 }
      record(yield* pays({ ...shared, shares: [half, { id: "tip", ...half }] }))
      const { schemes } = record(yield* send("GET", `${path}/pay`))
      record(yield* send("PATCH", `${path}/pay`, { schemes }))
      yield* completed("2026-12-24T09:00:00Z")
      const trips = record(yield* statement(december))["trips"] as ReadonlyArray<{
        readonly lines: ReadonlyArray<{ readonly rule: string }>
      }>
      assert.deepStrictEqual(
        trips.map(({ lines }) => lines.map(({ rule }) => rule)),
        [["share:1", "tip"]]
      )
    })
  )

  it.effect("is for owners and accountants; dispatchers, viewers and drivers do not see pay", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, path } = yield* employer(server)
      for (const [role, status] of [
        ["owner", 200],
        ["accountant", 200],
        ["dispatcher", 403],
        ["viewer", 403]
      ] as const) {
        const person = yield* operator(server)
        yield* assign(businessId, person.userId, role)
        yield* expireCredentials
        const ask = { credential: person.token, business: businessId }
        for (const route of [`${path}/statement?${december}`, `${path}/pay`])
          assert.strictEqual((yield* server.send("GET", route, ask)).status, status)
      }
    })
  )

  it.effect("of a driver who was deleted can still be read", () =>
    Effect.gen(function* () {
      const { completed, path, pays, send, statement } = yield* employer(yield* openServer())
      record(yield* pays(shared))
      yield* completed("2026-12-24T09:00:00Z")
      record(yield* send("DELETE", path))
      assert.deepInclude(record(yield* statement(december)), {
        totals: [{ currency: "USD", trips: 1, total_amount: 40 }]
      })
      refusedAs(yield* pays(shared), 404, "not_found")
    })
  )
})
