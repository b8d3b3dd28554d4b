import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { company, wrong } from "../support/Fleet.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"

const least = {
  trip_date: "2026-12-24T18:00:00Z",
  pickup_address: "Here",
  dropoff_address: "There",
  customer_name: "Ada"
}

const details = {
  external_ref: "PMS-20418",
  po_number: "4711",
  cost_center: "Events",
  metadata: { order: "9", note: "naïve ☕" },
  internal_notes: "Pays late",
  vehicle_class: "van",
  luggage_count: 4,
  child_seats: [{ type: "infant", count: 2 }],
  pickup_sign: "Ms Lovelace",
  stops: [{ address: "Old Town 2", lat: 47.37, lng: 8.54, contact: "Bob, +41", minutes: 10 }],
  passengers: [{ name: "Bob", phone: "+41 79", email: "bob@example.com" }],
  booker_name: "Zoë",
  booker_email: "zoe@example.com",
  booker_phone: "+41 44",
  group_id: "wedding",
  leg: "outbound",
  distance_m: 12_500,
  arrival: "domestic_flight",
  pickup_airport: "ZRH",
  dropoff_airport: "GVA",
  meet_and_greet: true,
  waiting_minutes: 30,
  tolls_amount: 12.5,
  pickup_timezone: "America/New_York"
}

const lastEvent = Effect.fnUntraced(function* (businessId: number) {
  const sql = yield* SqlClient.SqlClient
  const [event] = yield* sql<{ event_type: string; body: string }>`
    SELECT event_type, body FROM events WHERE business_id = ${businessId} ORDER BY sequence DESC LIMIT 1`
  const { data }: { readonly data: Readonly<Record<string, unknown>> } = JSON.parse(event?.body ?? "{}")
  return { type: event?.event_type, data }
})

const eventCount = Effect.fnUntraced(function* (businessId: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT FROM events WHERE business_id = ${businessId}`
  return rows.length
})

layer(Ports)("the trade's fields of a trip", (it) => {
  it.effect("are the same in the response, on reading, in the list and in the event", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const acme = yield* company(server)
      const first = yield* acme.trip()
      const payload = { ...details, linked_trip_id: first["trip_id"] }
      const { warnings: _warnings, ...trip } = yield* acme.trip(payload)
      assert.deepInclude(trip, {
        ...payload,
        pickup_at: "2026-12-24 18:00:00",
        pickup_local: "2026-12-24 13:00:00"
      })
      const id = String(trip["trip_id"])
      assert.deepStrictEqual(record(yield* acme.send("GET", `/trips/${id}`)), trip)
      assert.deepStrictEqual(records(yield* acme.send("GET", "/trips?group_id=wedding")), [trip])
      assert.deepStrictEqual(records(yield* acme.send("GET", "/trips?group_id=funeral")), [])
      assert.deepStrictEqual(
        refusedAs(yield* acme.send("GET", "/trips?group_id="), 422, "invalid_request"),
        wrong({ group_id: "required" })
      )
      assert.deepStrictEqual(yield* lastEvent(acme.businessId), { type: "trip.created", data: trip })
    })
  )

  it.effect("have metadata whose texts are trimmed and have at most 500 characters, spaces not counted", () =>
    Effect.gen(function* () {
      const acme = yield* company(yield* openServer())
      const long = `${" ".repeat(2000)}${"x".repeat(500)}${" ".repeat(2000)}`
      const trip = yield* acme.trip({ metadata: { order: " 9 ", note: long, vip: "  " } })
      const metadata = { order: "9", note: "x".repeat(500), vip: "" }
      assert.deepInclude(trip, { metadata })
      const id = String(trip["trip_id"])
      assert.deepInclude(record(yield* acme.send("GET", `/trips/${id}`)), { metadata })
      assert.deepInclude(record(yield* acme.send("PATCH", `/trips/${id}`, { metadata: { a: "b " } })), {
        metadata: { a: "b" }
      })
      assert.deepStrictEqual(
        refusedAs(
          yield* acme.send("PATCH", `/trips/${id}`, { metadata: { a: "x".repeat(501) } }),
          422,
          "invalid_request"
        ),
        wrong({ "metadata.a": "too_long" })
      )
    })
  )

  it.effect("change and are cleared; internal notes and references send no event", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const acme = yield* company(server)
      const id = String((yield* acme.trip(details))["trip_id"])
      const changed = (body: object) => Effect.map(acme.send("PATCH", `/trips/${id}`, body), record)
      const events = yield* eventCount(acme.businessId)
      const references = { internal_notes: "Paid", po_number: null, cost_center: "Sales" }
      assert.deepInclude(yield* changed(references), references)
      assert.strictEqual(yield* eventCount(acme.businessId), events)
      const cleared = { metadata: {}, stops: [], passengers: [], child_seats: [], vehicle_class: null }
      assert.deepInclude(
        yield* changed({ ...cleared, metadata: null, stops: null, passengers: null, pickup_timezone: null }),
        { ...cleared, pickup_timezone: "UTC", pickup_local: "2026-12-24 18:00:00", external_ref: "PMS-20418" }
      )
      assert.strictEqual((yield* lastEvent(acme.businessId)).type, "trip.updated")
      const timeline = records(yield* acme.send("GET", `/trips/${id}/timeline`))
      assert.deepStrictEqual(timeline[1]?.["after"], references)
      yield* changed({ status: "completed" })
      assert.deepInclude(yield* changed({ cost_center: "Events", internal_notes: null }), {
        cost_center: "Events",
        internal_notes: null
      })
      assert.deepStrictEqual(
        refusedAs(
          yield* acme.send("PATCH", `/trips/${id}`, { stops: details.stops, group_id: "x" }),
          422,
          "invalid_request"
        ),
        wrong({ stops: "invalid", group_id: "invalid" })
      )
    })
  )

  it.effect("that a trip always has are not cleared: null is required, in a change and in a copy", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const acme = yield* company(server)
      const before = yield* acme.trip({ currency: "EUR", total_amount: 100, trip_type: "event" })
      const path = `/trips/${String(before["trip_id"])}`
      for (const [method, at] of [
        ["PATCH", path],
        ["POST", `${path}/duplicate`]
      ] as const)
        for (const field of ["currency", "trip_type", "trip_date", "pickup_address"])
          assert.deepStrictEqual(
            refusedAs(yield* acme.send(method, at, { [field]: null, notes: "x" }), 422, "invalid_request"),
            wrong({ [field]: "required" })
          )
      assert.deepInclude(record(yield* acme.send("GET", path)), {
        currency: "EUR",
        total_amount: 100,
        trip_type: "event",
        notes: null
      })
      assert.deepInclude(
        record(yield* acme.send("PATCH", path, { currency: "CHF", trip_type: "other", total_amount: null })),
        { currency: "CHF", trip_type: "other", total_amount: null }
      )
    })
  )

  it.effect("are copied, except those that belong to one trip", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const acme = yield* company(server)
      const other = yield* acme.trip()
      const trip = yield* acme.trip({ ...details, linked_trip_id: other["trip_id"] })
      const copy = record(
        yield* acme.send("POST", `/trips/${String(trip["trip_id"])}/duplicate`, { luggage_count: 1 })
      )
      assert.deepInclude(copy, {
        ...details,
        luggage_count: 1,
        external_ref: null,
        linked_trip_id: null,
        leg: null
      })
    })
  )

  it.effect("name each wrong field, and nothing is written", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [acme, zephyr] = [yield* company(server), yield* company(server)]
      const elsewhere = yield* zephyr.trip({ customer_id: (yield* zephyr.customer())["customer_id"] })
      const refused = (body: object) =>
        Effect.map(acme.send("POST", "/trips", { ...least, ...body }), (answer) =>
          refusedAs(answer, 422, "invalid_request")
        )
      assert.deepStrictEqual(
        yield* refused({
          metadata: { order: 5 },
          vehicle_class: "rocket",
          stops: [{ minutes: -1 }],
          passengers: [{ name: "Bob", email: "nobody" }],
          child_seats: [{ type: "infant" }],
          linked_trip_id: "x",
          leg: "both",
          pickup_timezone: "Mars/Olympus"
        }),
        wrong({
          "metadata.order": "invalid",
          vehicle_class: "unknown_value",
          "child_seats.0.count": "required",
          "stops.0.address": "required",
          "stops.0.minutes": "out_of_range",
          "passengers.0.email": "invalid",
          linked_trip_id: "invalid",
          leg: "unknown_value",
          pickup_timezone: "unknown_value"
        })
      )
      assert.deepStrictEqual(
        yield* refused({ linked_trip_id: elsewhere["trip_id"], customer_id: elsewhere["customer_id"] }),
        wrong({ customer_id: "not_found", linked_trip_id: "not_found" })
      )
      assert.deepStrictEqual(records(yield* acme.send("GET", "/trips")), [])
      const own = yield* acme.trip()
      for (const linked_trip_id of [own["trip_id"], elsewhere["trip_id"]])
        assert.deepStrictEqual(
          refusedAs(
            yield* acme.send("PATCH", `/trips/${String(own["trip_id"])}`, { linked_trip_id }),
            422,
            "invalid_request"
          ),
          wrong({ linked_trip_id: "not_found" })
        )
    })
  )
})

layer(Ports)("an external_ref", (it) => {
  it.effect("belongs to one trip of a business; a second one is a conflict that names the trip", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [acme, zephyr] = [yield* company(server), yield* company(server)]
      const external_ref = "PMS-1"
      const { trip_id } = yield* acme.trip({ external_ref })
      assert.strictEqual((yield* zephyr.trip({ external_ref }))["external_ref"], external_ref)
      const other = yield* acme.trip({ external_ref: "PMS-2" })
      const path = `/trips/${String(other["trip_id"])}`
      const attempts = [
        acme.send("POST", "/trips", { ...least, external_ref: " PMS-1 " }),
        acme.send("PATCH", path, { external_ref }),
        acme.send("POST", `${path}/duplicate`, { external_ref })
      ]
      for (const attempt of attempts) {
        const answer = yield* attempt
        assert.deepStrictEqual(refusedAs(answer, 409, "conflict"), [{ type: "trip", trip_id }])
        assert.include(answer.body.error?.message, `Trip ${String(trip_id)} `)
      }
      assert.strictEqual((yield* acme.send("PATCH", path, { external_ref: "PMS-2" })).status, 200)
      yield* acme.send("DELETE", `/trips/${String(trip_id)}`)
      assert.strictEqual((yield* acme.send("PATCH", path, { external_ref })).status, 200)
    })
  )

  it.effect("belongs to one trip also if many requests name it at once", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const acme = yield* company(server)
      const trips = yield* Effect.forEach([1, 2, 3, 4], () => acme.trip())
      const external_ref = "PMS-1"
      const answers = yield* Effect.all(
        [
          ...trips.map(({ trip_id }) => acme.send("PATCH", `/trips/${String(trip_id)}`, { external_ref })),
          ...trips.map(() => acme.send("POST", "/trips", { ...least, external_ref }))
        ],
        { concurrency: "unbounded" }
      )
      const won = answers.filter(({ status }) => status < 300).map(record)
      assert.lengthOf(won, 1)
      const trip_id = won[0]?.["trip_id"]
      for (const answer of answers.filter(({ status }) => status >= 300))
        assert.deepStrictEqual(refusedAs(answer, 409, "conflict"), [{ type: "trip", trip_id }])
    })
  )
})

layer(Ports)("a trip that names a customer by id", (it) => {
  it.effect("gets the customer's name, email and phone where it has none itself", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const acme = yield* company(server)
      const { customer_id } = yield* acme.customer({ email: "ada@example.com", phone: "+41" })
      const { customer_name: _name, ...unnamed } = least
      const usual = { customer_name: "Ada", customer_email: "ada@example.com", customer_phone: "+41" }
      const booked = record(yield* acme.send("POST", "/trips", { ...unnamed, customer_id }))
      assert.deepInclude(booked, { ...usual, customer_id })
      assert.deepInclude(yield* acme.trip({ customer_id, customer_name: "Bob" }), {
        ...usual,
        customer_name: "Bob"
      })
      const plain = yield* acme.trip({ customer_name: "Bob" })
      const path = `/trips/${String(plain["trip_id"])}`
      assert.deepInclude(record(yield* acme.send("PATCH", path, { customer_id, customer_phone: null })), {
        ...usual,
        customer_name: "Bob",
        customer_phone: null
      })
      assert.deepStrictEqual(
        refusedAs(yield* acme.send("POST", "/trips", unnamed), 422, "invalid_request"),
        wrong({ customer_name: "required" })
      )
    })
  )
})
