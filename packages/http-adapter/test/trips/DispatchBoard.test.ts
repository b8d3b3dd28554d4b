import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Ports } from "../support/TestPorts.ts"
import { business } from "../support/People.ts"
import {
  type Answer,
  openServer,
  record,
  records,
  refusedAs,
  type TestServer
} from "../support/TestServer.ts"

const today = "2026-11-20"

/** A business, with functions for a dispatcher's requests. */
const dispatchingBusiness = Effect.fnUntraced(function* (server: TestServer) {
  const { businessId, key } = yield* business(server)
  const send = (method: string, path: string, body?: unknown) =>
    server.send(method, path, { credential: key, ...(body === undefined ? {} : { body }) })
  const idOf = (answer: Answer, field: string) => Number(record(answer)[field])
  const book = (change: object = {}) =>
    Effect.map(
      send("POST", "/trips", {
        trip_date: `${today}T18:00:00Z`,
        pickup_address: "Here",
        dropoff_address: "There",
        customer_name: "Ada",
        ...change
      }),
      (answer) => idOf(answer, "trip_id")
    )
  const driver = Effect.map(send("POST", "/drivers", { name: "Zoë", phone: "+41" }), (answer) =>
    idOf(answer, "driver_id")
  )
  const car = Effect.map(send("POST", "/cars", { name: "Black", seats: 4 }), (answer) =>
    idOf(answer, "car_id")
  )
  const give = (tripId: number, ...driver_ids: ReadonlyArray<number>) =>
    Effect.map(send("POST", `/trips/${tripId}/drivers`, { driver_ids }), record)
  const board = (query = "") => Effect.map(send("GET", `/dispatch/trips${query}`), records)
  return { businessId, key, send, book, driver, car, give, board }
})

const warningsOf = (job: Readonly<Record<string, unknown>> | undefined) => job?.["warnings"]

layer(Ports)("GET /dispatch/trips", (it) => {
  it.effect(
    "counts what needs attention on the whole board, and has a tag for a client that has it already",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { book, driver, give, key, send } = yield* dispatchingBusiness(server)
        const zoe = yield* driver
        const [one, two] = [yield* book({ flight_number: "LX 1" }), yield* book()]
        yield* give(one, zoe)
        yield* give(two, zoe)
        yield* book({ trip_date: `${today}T00:30:00Z` })
        const read = (headers: Readonly<Record<string, string>> = {}, query = "") =>
          server.send("GET", `/dispatch/trips${query}`, { credential: key, headers })
        const counts = {
          trips: 3,
          late: 1,
          unassigned: 1,
          clash: 2,
          flight: 1,
          pending: 0,
          confirmed: 3,
          in_progress: 0,
          completed: 0,
          cancelled: 0
        }
        const first = yield* read()
        assert.deepStrictEqual(first.body.meta?.counts, counts)
        assert.notProperty((yield* read({}, "?per_page=2")).body.meta, "counts")
        assert.deepStrictEqual((yield* read({}, "?per_page=2&counts=true")).body.meta?.counts, counts)
        assert.strictEqual((yield* read({}, "?per_page=500")).status, 200)
        refusedAs(yield* read({}, "?per_page=501"), 422, "invalid_request")
        const etag = first.headers.get("etag") ?? ""
        const same = yield* read({ "if-none-match": etag })
        assert.deepStrictEqual([same.status, same.text], [304, ""])
        record(yield* send("PATCH", `/trips/${one}`, { notes: "Two bags" }))
        const changed = yield* read({ "if-none-match": etag })
        assert.strictEqual(changed.status, 200)
        assert.notStrictEqual(changed.headers.get("etag"), etag)
      })
  )

  it.effect("has today's jobs, the soonest first, with their drivers and cars", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { board, book, car, driver, give, send } = yield* dispatchingBusiness(server)
      const [zoe, black] = [yield* driver, yield* car]
      const late = yield* book({ trip_date: `${today}T22:00:00Z` })
      const early = yield* book({ car_id: black, trip_date: `${today}T10:00:00Z`, participants_count: 5 })
      yield* book({ trip_date: "2026-11-21T00:00:00Z" })
      const yesterday = yield* book({ trip_date: "2026-11-19T22:59:59Z" })
      record(yield* send("PATCH", `/trips/${yesterday}`, { status: "completed" }))
      yield* give(early, zoe)
      const [first, second, ...others] = yield* board()
      assert.isEmpty(others)
      assert.deepStrictEqual([first?.["trip_id"], second?.["trip_id"]], [early, late])
      assert.deepInclude(first, {
        driver_ids: [zoe],
        drivers: [
          {
            driver_id: zoe,
            name: "Zoë",
            phone: "+41",
            active: true,
            status: "assigned",
            car_id: null,
            car: null,
            accepted_at: null,
            declined_at: null,
            decline_reason: null,
            milestones: [],
            position: null
          }
        ],
        car: {
          car_id: black,
          name: "Black",
          plate_number: null,
          seats: 4,
          vehicle_class: null,
          active: true
        },
        warnings: [{ type: "too_few_seats", car_id: black }]
      })
      assert.deepStrictEqual(warningsOf(second), [{ type: "unassigned" }])
      assert.deepStrictEqual(
        (yield* board(`?date=2026-11-21`)).map(({ pickup_at }) => pickup_at),
        ["2026-11-21 00:00:00"]
      )
    })
  )

  it.effect(
    "warns of drivers and cars with two trips at one time, unless the business has turned warnings off",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { board, book, car, driver, give, send } = yield* dispatchingBusiness(server)
        const [zoe, black] = [yield* driver, yield* car]
        const one = yield* book({ car_id: black })
        const other = yield* book({ car_id: black, trip_date: `${today}T18:59:00Z` })
        const after = yield* book({ car_id: black, trip_date: `${today}T19:59:00Z` })
        for (const trip of [one, other, after]) yield* give(trip, zoe)
        const clash = (trip_id: number) => [
          { type: "schedule_clash", driver_id: zoe, trip_id },
          { type: "car_clash", car_id: black, trip_id }
        ]
        assert.deepStrictEqual((yield* board()).map(warningsOf), [clash(other), clash(one), []])
        record(yield* send("PATCH", "/settings/business", { clash_policy: "off" }))
        assert.deepStrictEqual((yield* board()).map(warningsOf), [[], [], []])
      })
  )

  it.effect("has the days of the business's clock", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { board, book, send } = yield* dispatchingBusiness(server)
      record(yield* send("PATCH", "/settings/business", { timezone: "America/New_York" }))
      // The day on which the clock goes back has 25 hours there, from 04:00 in UTC.
      for (const at of [
        "2026-11-01T03:00:00Z",
        "2026-11-01T04:00:00Z",
        "2026-11-02T04:59:59Z",
        "2026-11-02T05:00:00Z"
      ])
        yield* book({ trip_date: at })
      assert.deepStrictEqual(
        (yield* board("?date=2026-11-01")).map(({ pickup_at }) => pickup_at),
        ["2026-11-01 00:00:00", "2026-11-01 23:59:59"]
      )
    })
  )

  it.effect(
    "omits deleted trips, and cancelled ones unless they are requested, and has filters and pages",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { board, book, driver, give, key, send } = yield* dispatchingBusiness(server)
        const zoe = yield* driver
        const [one, two, gone, deleted] = [yield* book(), yield* book(), yield* book(), yield* book()]
        yield* give(two, zoe)
        record(yield* send("PATCH", `/trips/${gone}`, { status: "cancelled", cancel_reason: "no_show" }))
        record(yield* send("DELETE", `/trips/${deleted}`))
        const ids = (query: string) => Effect.map(board(query), (jobs) => jobs.map(({ trip_id }) => trip_id))
        assert.deepStrictEqual(yield* ids(""), [one, two])
        assert.deepStrictEqual(yield* ids("?status=cancelled"), [gone])
        assert.deepStrictEqual(yield* ids("?status=confirmed"), [one, two])
        assert.deepStrictEqual(yield* ids(`?driver_id=${zoe}`), [two])
        assert.deepStrictEqual(yield* ids(`?driver_id=999999999`), [])
        assert.deepStrictEqual(yield* ids("?per_page=1&page=2"), [two])
        const paged = yield* server.send("GET", "/dispatch/trips?per_page=1", { credential: key })
        assert.deepStrictEqual(paged.body.meta?.pagination, {
          page: 1,
          per_page: 1,
          count: 1,
          total: 2,
          total_pages: 2,
          has_more: true
        })
        const whole = yield* server.send("GET", "/dispatch/trips", { credential: key })
        assert.strictEqual(whole.body.meta?.pagination?.["per_page"], 25)
      })
  )

  it.effect("lists the jobs whose time overlaps the day, and today also those under way and overdue", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { board, book, driver, give, send } = yield* dispatchingBusiness(server)
      const on = (time: string, change: object = {}) => book({ trip_date: time, ...change })
      const charter = yield* on("2026-11-18T08:00:00Z", { duration_minutes: 4320 })
      const underWay = yield* on("2026-11-19T21:00:00Z")
      yield* give(underWay, yield* driver)
      record(yield* send("PATCH", `/trips/${underWay}/driver-status`, { status: "en_route" }))
      const overdue = yield* on("2026-11-19T22:00:00Z")
      const done = yield* on("2026-11-19T22:30:00Z")
      record(yield* send("PATCH", `/trips/${done}`, { status: "completed" }))
      const acrossMidnight = yield* on("2026-11-19T23:40:00Z")
      const tonight = yield* on(`${today}T23:59:00Z`)
      const tomorrow = yield* on("2026-11-21T00:00:00Z")
      const ids = (query = "") => Effect.map(board(query), (jobs) => jobs.map(({ trip_id }) => trip_id))
      const present = [charter, underWay, overdue, acrossMidnight, tonight]
      assert.deepStrictEqual(yield* ids(), present)
      assert.deepStrictEqual(yield* ids(`?date=${today}`), present)
      assert.deepStrictEqual(yield* ids("?per_page=2&page=2"), [overdue, acrossMidnight])
      assert.deepStrictEqual(yield* ids("?status=in_progress"), [underWay])
      assert.deepStrictEqual(yield* ids("?date=2026-11-19"), [
        charter,
        underWay,
        overdue,
        done,
        acrossMidnight
      ])
      assert.deepStrictEqual(yield* ids("?date=2026-11-21"), [charter, tonight, tomorrow])
      assert.deepStrictEqual(yield* ids("?date=2026-11-22"), [])
    })
  )

  it.effect("lists the jobs between two instants instead of a day", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { board, book, send } = yield* dispatchingBusiness(server)
      const late = yield* book({ trip_date: `${today}T22:30:00Z` })
      const early = yield* book({ trip_date: "2026-11-21T01:00:00Z" })
      yield* book({ trip_date: "2026-11-21T02:00:00Z" })
      yield* book({ trip_date: `${today}T22:00:00Z` })
      const span = `?from=${today}T23:00:00Z&to=2026-11-21T03:00:00${encodeURIComponent("+01:00")}`
      assert.deepStrictEqual(
        (yield* board(span)).map(({ trip_id }) => trip_id),
        [late, early]
      )
      const wrong = (query: string) =>
        Effect.map(send("GET", `/dispatch/trips?${query}`), (answer) =>
          refusedAs(answer, 422, "invalid_request")
        )
      const noon = `${today}T12:00:00Z`
      assert.deepStrictEqual(yield* wrong(`from=${noon}`), [{ field: "to", issue: "required" }])
      assert.deepStrictEqual(yield* wrong(`to=${noon}`), [{ field: "from", issue: "required" }])
      assert.deepStrictEqual(yield* wrong(`from=${noon}&to=${noon}`), [
        { field: "to", issue: "out_of_range" }
      ])
      assert.deepStrictEqual(yield* wrong(`from=${noon}&to=${noon}&date=${today}`), [
        { field: "date", issue: "invalid" }
      ])
      assert.deepStrictEqual(yield* wrong("from=now&to=then"), [
        { field: "from", issue: "invalid" },
        { field: "to", issue: "invalid" }
      ])
    })
  )

  it.effect("is late once the pickup is past and no driver is under way", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { board, book, businessId, driver, give } = yield* dispatchingBusiness(server)
      const sql = yield* SqlClient.SqlClient
      const zoe = yield* driver
      const trip = yield* book()
      yield* give(trip, zoe)
      assert.deepStrictEqual((yield* board()).map(warningsOf), [[]])
      yield* sql`UPDATE trips SET trip_date = '2026-11-20 09:00:00Z' WHERE business_id = ${businessId}`
      assert.deepStrictEqual((yield* board()).map(warningsOf), [[{ type: "late_start" }]])
    })
  )

  it.effect("shows no other business's jobs", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [one, other] = [yield* dispatchingBusiness(server), yield* dispatchingBusiness(server)]
      yield* one.book()
      assert.deepStrictEqual(yield* other.board(), [])
    })
  )

  it.effect("names every wrong parameter at once", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { send } = yield* dispatchingBusiness(server)
      assert.deepStrictEqual(
        refusedAs(
          yield* send("GET", "/dispatch/trips?date=2026-02-30&status=x&driver_id=x&page=0&per_page=501"),
          422,
          "invalid_request"
        ),
        [
          { field: "date", issue: "invalid" },
          { field: "status", issue: "unknown_value" },
          { field: "driver_id", issue: "invalid" },
          { field: "page", issue: "out_of_range" },
          { field: "per_page", issue: "out_of_range" }
        ]
      )
    })
  )
})
