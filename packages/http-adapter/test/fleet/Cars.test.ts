import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { company, wrong } from "../support/Fleet.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"

const full = {
  external_ref: "X-1",
  name: " S-Class ",
  plate_number: "ZH 1",
  make: "Mercedes-Benz",
  model: "S 500",
  year: 2025,
  color: "black",
  vehicle_class: "sedan",
  seats: 4,
  luggage: 3,
  photo_url: "https://example.com/s.jpg",
  active: true
}

layer(Ports)("cars", (it) => {
  it.effect("are made, read, changed and deleted, each with its ETag", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { send } = yield* company(server)
      const made = yield* send("POST", "/cars", { ...full, unknown: 1 })
      assert.strictEqual(made.status, 201)
      const { car_id, ...car } = record(made)
      const path = `/cars/${String(car_id)}`
      assert.deepInclude(car, { ...full, name: "S-Class" })
      assert.deepStrictEqual(
        Object.keys(car).sort(),
        [...Object.keys(full), "created_at", "updated_at"].sort()
      )
      const read = yield* send("GET", path)
      assert.deepStrictEqual(record(read), record(made))
      const changed = yield* send("PATCH", path, { color: null, plate_number: " ", seats: 5, vip: true })
      assert.deepInclude(record(changed), { color: null, plate_number: null, seats: 5, name: "S-Class" })
      assert.notStrictEqual(changed.headers.get("etag"), read.headers.get("etag"))
      const stale = { "if-match": read.headers.get("etag") ?? "" }
      refusedAs(yield* send("PATCH", path, { seats: 6 }, stale), 409, "conflict")
      refusedAs(yield* send("DELETE", path, undefined, stale), 409, "conflict")
      const fresh = { "if-match": changed.headers.get("etag") ?? "" }
      assert.deepStrictEqual(record(yield* send("DELETE", path, undefined, fresh)), { deleted: true })
      refusedAs(yield* send("GET", path), 404, "not_found")
    })
  )

  it.effect("need a name alone, and are active by default", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { car, send } = yield* company(server)
      const { car_id: _id, created_at: _c, updated_at: _u, ...rest } = yield* car()
      assert.deepStrictEqual<unknown>(rest, {
        external_ref: null,
        name: "Black",
        plate_number: null,
        make: null,
        model: null,
        year: null,
        color: null,
        vehicle_class: null,
        seats: null,
        luggage: null,
        photo_url: null,
        active: true
      })
      assert.deepStrictEqual(
        refusedAs(yield* send("POST", "/cars", { active: "yes" }), 422, "invalid_request"),
        wrong({ name: "required", active: "invalid" })
      )
    })
  )

  it.effect("with wrong fields are refused, naming all of them, and nothing is written", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { car, send } = yield* company(server)
      const bad = {
        name: " ",
        plate_number: "x".repeat(41),
        make: "a\u0000b",
        model: 5,
        year: 1899,
        color: "\ud800",
        vehicle_class: "rocket",
        seats: 0,
        luggage: 1.5,
        photo_url: "javascript:alert(1)",
        active: "yes"
      }
      const issues = wrong({
        name: "required",
        plate_number: "too_long",
        make: "invalid",
        model: "invalid",
        year: "out_of_range",
        color: "invalid",
        vehicle_class: "unknown_value",
        seats: "out_of_range",
        luggage: "invalid",
        photo_url: "invalid",
        active: "invalid"
      })
      assert.sameDeepMembers(
        [...(refusedAs(yield* send("POST", "/cars", bad), 422, "invalid_request") ?? [])],
        issues
      )
      const before = yield* car()
      const path = `/cars/${String(before["car_id"])}`
      assert.sameDeepMembers(
        [...(refusedAs(yield* send("PATCH", path, bad), 422, "invalid_request") ?? [])],
        issues
      )
      for (const nothing of [{}, { car_id: 7 }])
        assert.isUndefined(refusedAs(yield* send("PATCH", path, nothing), 422, "invalid_request"))
      assert.deepStrictEqual(record(yield* send("GET", path)), before)
      assert.lengthOf(records(yield* send("GET", "/cars")), 1)
    })
  )

  it.effect("are listed by name, then id, in pages, all or those in use or not", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { car, send } = yield* company(server)
      const stranger = yield* company(server)
      yield* stranger.car({ name: "Alien" })
      const ids: Array<unknown> = []
      for (const name of ["B", "A", "B", "C"])
        ids.push((yield* car({ name, active: name !== "A" }))["car_id"])
      const names = (query: string) =>
        Effect.map(send("GET", `/cars${query}`), (answer) => records(answer).map(({ name }) => name))
      assert.deepStrictEqual(yield* names(""), ["A", "B", "B", "C"])
      assert.deepStrictEqual(yield* names("?active=true"), ["B", "B", "C"])
      assert.deepStrictEqual(yield* names("?active=false"), ["A"])
      const second = yield* send("GET", "/cars?per_page=2&page=2")
      assert.deepStrictEqual(
        records(second).map(({ car_id }) => car_id),
        [ids[2], ids[3]]
      )
      assert.deepStrictEqual<unknown>(second.body.meta?.pagination, {
        page: 2,
        per_page: 2,
        count: 2,
        total: 4,
        total_pages: 2,
        has_more: false
      })
      assert.deepInclude((yield* send("GET", "/cars?page=9")).body.meta?.pagination, { count: 0, total: 4 })
      assert.deepStrictEqual(
        refusedAs(yield* send("GET", "/cars?active=maybe&per_page=101&page=0"), 422, "invalid_request"),
        wrong({ page: "out_of_range", per_page: "out_of_range", active: "unknown_value" })
      )
    })
  )
})

layer(Ports)("the plan's cars", (it) => {
  it.effect("count what is active: one more is refused, on creation and on activation", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { car, send } = yield* company(server, "free")
      const first = yield* car()
      yield* car()
      const idle = yield* car({ active: false })
      refusedAs(yield* send("POST", "/cars", { name: "Third" }), 403, "usage_limit_reached")
      const activate = send("PATCH", `/cars/${String(idle["car_id"])}`, { active: true })
      refusedAs(yield* activate, 403, "usage_limit_reached")
      record(yield* send("PATCH", `/cars/${String(first["car_id"])}`, { active: true, name: "Still" }))
      record(yield* send("PATCH", `/cars/${String(first["car_id"])}`, { active: false }))
      assert.deepInclude(record(yield* activate), { active: true })
    })
  )

  it.effect("are not exceeded by 20 at once: with one place left, one is made", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { car, send } = yield* company(server, "free")
      yield* car()
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, (_, index) => send("POST", "/cars", { name: `Car ${index}` })),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        answers.filter(({ status }) => status === 201),
        1
      )
      for (const answer of answers.filter(({ status }) => status !== 201))
        refusedAs(answer, 403, "usage_limit_reached")
      assert.lengthOf(records(yield* send("GET", "/cars")), 2)
    })
  )
})

layer(Ports)("deleting a car", (it) => {
  const eventsOf = Effect.fnUntraced(function* (businessId: number) {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ event_type: string }>`
      SELECT event_type FROM events WHERE business_id = ${businessId} ORDER BY sequence`
    return rows.map(({ event_type }) => event_type)
  })

  it.effect("of open trips requires confirmation and names them; forced, they lose it", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, car, send, trip } = yield* company(server)
      const { car_id } = yield* car()
      const [one, two] = [yield* trip({ car_id }), yield* trip({ car_id })]
      const path = `/cars/${String(car_id)}`
      for (const body of [undefined, {}, { force: false }])
        assert.deepStrictEqual<unknown>(
          refusedAs(yield* send("DELETE", path, body), 409, "confirmation_required"),
          [{ trip_id: one["trip_id"] }, { trip_id: two["trip_id"] }]
        )
      assert.deepStrictEqual(yield* eventsOf(businessId), ["trip.created", "trip.created"])
      refusedAs(yield* send("DELETE", path, { force: "yes" }), 422, "invalid_request")
      assert.deepStrictEqual(record(yield* send("DELETE", path, { force: true })), { deleted: true })
      for (const { trip_id } of [one, two])
        assert.deepInclude(record(yield* send("GET", `/trips/${String(trip_id)}`)), { car_id: null })
      assert.deepStrictEqual((yield* eventsOf(businessId)).slice(2), ["trip.updated", "trip.updated"])
    })
  )

  it.effect("leaves the trips that ended as they were; it is gone for everything else", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { businessId, car, driver, send, trip } = yield* company(server)
      const { car_id } = yield* car()
      const past = yield* trip({ car_id })
      const usual = yield* driver({ default_car_id: car_id })
      yield* sql`UPDATE trips SET status = 'completed' WHERE business_id = ${businessId}`
      const path = `/cars/${String(car_id)}`
      record(yield* send("DELETE", path))
      assert.deepInclude(record(yield* send("GET", `/trips/${String(past["trip_id"])}`)), { car_id })
      assert.deepInclude(record(yield* send("GET", `/drivers/${String(usual["driver_id"])}`)), {
        default_car_id: null
      })
      for (const [method, body] of [["GET"], ["PATCH", { name: "X" }], ["DELETE"]] as const)
        refusedAs(yield* send(method, path, body), 404, "not_found")
      assert.isEmpty(records(yield* send("GET", "/cars")))
      const gone = yield* send("POST", "/trips", {
        trip_date: "2026-12-24T18:00:00Z",
        pickup_address: "Here",
        dropoff_address: "There",
        customer_name: "Ada",
        car_id
      })
      assert.deepStrictEqual(refusedAs(gone, 422, "invalid_request"), wrong({ car_id: "not_found" }))
      assert.lengthOf(yield* sql`SELECT FROM cars WHERE car_id = ${Number(car_id)}`, 1)
    })
  )

  it.effect("that nothing refers to removes the row", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { car, send } = yield* company(server)
      const { car_id } = yield* car()
      record(yield* send("DELETE", `/cars/${String(car_id)}`))
      assert.isEmpty(yield* sql`SELECT FROM cars WHERE car_id = ${Number(car_id)}`)
    })
  )

  it.effect("while trips are being booked with it leaves no open trip with a deleted car", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { businessId, car, send } = yield* company(server)
      const booking = (car_id: unknown) =>
        send("POST", "/trips", {
          trip_date: "2026-12-24T18:00:00Z",
          pickup_address: "Here",
          dropoff_address: "There",
          customer_name: "Ada",
          car_id
        })
      for (let round = 0; round < 10; round++) {
        const { car_id } = yield* car()
        const answers = yield* Effect.all(
          [
            booking(car_id),
            booking(car_id),
            send("DELETE", `/cars/${String(car_id)}`, { force: true }),
            booking(car_id)
          ],
          { concurrency: "unbounded" }
        )
        for (const { fault, status } of answers) assert.include([200, 201, 422], status, fault)
      }
      assert.isEmpty(
        yield* sql`
        SELECT FROM trips t JOIN cars c USING (business_id, car_id)
        WHERE t.business_id = ${businessId} AND c.deleted_at IS NOT NULL AND t.status = 'confirmed'`
      )
    })
  )
})
