import { assert, layer } from "@effect/vitest"
import { noDetails } from "@livery/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { expireCredentials, Ports } from "../support/TestPorts.ts"
import { business } from "../support/People.ts"
import { openServer, record, records, refusedAs, type TestServer } from "../support/TestServer.ts"

const least = {
  trip_date: "2026-12-24T18:00:00Z",
  pickup_address: "Zurich Airport",
  dropoff_address: "Bahnhofstrasse 1, Zurich",
  customer_name: "Ada Lovelace"
}

const book = (server: TestServer, credential: string, body: object) =>
  server.send("POST", "/trips", { credential, body: { ...least, ...body } })

const settle = Effect.fnUntraced(function* (businessId: number, timezone: string, currency = "USD") {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE businesses SET timezone = ${timezone}, currency = ${currency} WHERE business_id = ${businessId}`
  yield* expireCredentials
})

const carOf = Effect.fnUntraced(function* (businessId: number) {
  const sql = yield* SqlClient.SqlClient
  const [car] = yield* sql<{ car_id: number }>`
    INSERT INTO cars (business_id, name, created_at, updated_at) VALUES (${businessId}, 'Black', now(), now())
    RETURNING car_id`
  return car?.car_id ?? 0
})

const written = (businessId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql`SELECT
      (SELECT count(*) FROM trips WHERE business_id = ${businessId}) AS trips,
      (SELECT count(*) FROM events WHERE business_id = ${businessId}) AS events,
      (SELECT count(*) FROM webhook_deliveries WHERE business_id = ${businessId}) AS deliveries`
    return { ...row }
  })

const lastEvent = (businessId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [event] = yield* sql<{ event_id: string; event_type: string; body: string }>`
      SELECT event_id, event_type, body FROM events WHERE business_id = ${businessId}
      ORDER BY sequence DESC LIMIT 1`
    const body: Readonly<Record<string, unknown>> = JSON.parse(event?.body ?? "{}")
    return { event_id: event?.event_id, event_type: event?.event_type, body }
  })

layer(Ports)("booking a trip", (it) => {
  it.effect(
    "every field of the payload is the same in the answer, on reading, in the list and in the event",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { businessId, key } = yield* business(server)
        yield* settle(businessId, "Europe/Zurich")
        const payload = {
          ...least,
          trip_date: "2026-12-24T18:00:00Z",
          duration_minutes: 45,
          customer_email: "ada@example.com",
          customer_phone: "+44 20 7946 0000",
          trip_type: "airport_arrival",
          car_id: yield* carOf(businessId),
          pickup_postal_code: "8058",
          dropoff_postal_code: "8001",
          pickup_lat: 47.4582,
          pickup_lng: 8.5555,
          dropoff_lat: -33.8688,
          dropoff_lng: -151.2093,
          total_amount: 129.5,
          currency: "CHF",
          flight_number: "LX 1611",
          terminal: "2E",
          participants_count: 3,
          notes: "Ring twice\nand wait 🚘",
          special_requirements: "Child seat; 車椅子"
        }
        const answer = yield* book(server, key, payload)
        assert.strictEqual(answer.status, 201)
        const { warnings, ...trip } = record(answer)
        assert.deepStrictEqual(warnings, [])
        assert.deepStrictEqual({ ...trip, ...payload }, trip)
        const { created_at, reference, trip_id, updated_at, ...state } = trip
        const { tolls_minor: _tolls, ...details } = noDetails
        assert.match(String(reference), /^TR-[0-9A-HJKMNP-TV-Z]{7}$/u)
        assert.match(String(created_at), /^2026-11-20T09:30:\d\dZ$/u)
        assert.strictEqual(updated_at, created_at)
        assert.deepStrictEqual(state, {
          ...details,
          tolls_amount: null,
          ...payload,
          pickup_timezone: "Europe/Zurich",
          pickup_local: "2026-12-24 19:00:00",
          status: "confirmed",
          driver_status: "unassigned",
          payment_status: "unpaid",
          allowed_transitions: ["completed", "cancelled"],
          pickup_at: "2026-12-24 19:00:00",
          customer_id: null,
          driver_ids: [],
          drivers: [],
          cancel_reason: null,
          cancelled_by: null,
          cancellation_fee: null,
          cancelled_at: null,
          completed_at: null
        })
        assert.deepStrictEqual(
          record(yield* server.send("GET", `/trips/${String(trip_id)}`, { credential: key })),
          trip
        )
        assert.deepStrictEqual(records(yield* server.send("GET", "/trips", { credential: key })), [trip])
        const { body, event_id, event_type } = yield* lastEvent(businessId)
        assert.match(event_id ?? "", /^evt_[0-9a-f]{32}$/u)
        assert.strictEqual(event_type, "trip.created")
        const { created, ...rest } = body
        assert.deepStrictEqual(rest, {
          id: event_id,
          type: "trip.created",
          data: trip,
          meta: { business_id: businessId }
        })
        assert.strictEqual(
          new Date(Number(created) * 1000).toISOString(),
          String(created_at).replace("Z", ".000Z")
        )
      })
  )

  it.effect("a field that is absent, null or blank is null; other texts are trimmed", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const bare = record(yield* book(server, key, {}))
      const blank = record(
        yield* book(server, key, {
          customer_name: "  Ada Lovelace ",
          notes: "  ",
          customer_email: "",
          car_id: null,
          total_amount: null,
          currency: null,
          trip_type: null,
          unheard_of: { deep: [1] }
        })
      )
      const { reference: _one, trip_id: _id, warnings: _none, ...first } = bare
      const { reference: _other, trip_id: _other_id, warnings: _duplicate, ...second } = blank
      assert.deepStrictEqual(second, first)
      assert.deepInclude(first, {
        customer_name: "Ada Lovelace",
        notes: null,
        total_amount: null,
        currency: "USD",
        trip_type: "transfer",
        car_id: null
      })
    })
  )

  it.effect.each([
    ["Europe/Zurich", "2026-07-01 09:30", "2026-07-01T07:30:00Z", "2026-07-01 09:30:00"],
    ["America/New_York", "2026-07-01T09:30:00", "2026-07-01T13:30:00Z", "2026-07-01 09:30:00"],
    ["Asia/Kathmandu", "2026-07-01T12:00:00-03:00", "2026-07-01T15:00:00Z", "2026-07-01 20:45:00"],
    // A time that the clock skips, and one that it repeats: the later of the possible instants.
    ["Europe/Zurich", "2027-03-28T02:30:00", "2027-03-28T01:30:00Z", "2027-03-28 03:30:00"],
    ["Europe/Zurich", "2026-10-25T02:30:00", "2026-10-25T01:30:00Z", "2026-10-25 02:30:00"]
  ] as const)("in %s, %s is %s", ([timezone, sent, instant, pickup]) =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, key } = yield* business(server)
      yield* settle(businessId, timezone)
      const trip = record(yield* book(server, key, { trip_date: sent }))
      assert.deepStrictEqual([trip["trip_date"], trip["pickup_at"]], [instant, pickup])
    })
  )

  it.effect("amounts have the decimals of their currency, by default the business's", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { businessId, key } = yield* business(server)
      yield* settle(businessId, "UTC", "JPY")
      for (const [money, minor, currency] of [
        [{ total_amount: 12_000 }, 12_000, "JPY"],
        [{ total_amount: 1.005, currency: "kwd" }, 1005, "KWD"],
        [{ total_amount: 0.07, currency: "USD" }, 7, "USD"],
        [{ total_amount: 0, currency: "USD" }, 0, "USD"]
      ] as const) {
        const trip = record(yield* book(server, key, money))
        assert.deepStrictEqual([trip["total_amount"], trip["currency"]], [money.total_amount, currency])
        const [stored] = yield* sql`SELECT total_minor FROM trips WHERE trip_id = ${Number(trip["trip_id"])}`
        assert.strictEqual(stored?.["total_minor"], minor)
      }
    })
  )
})

layer(Ports)("a refused booking", (it) => {
  it.effect.each([
    [{ total_amount: 1.5, currency: "JPY" }, "total_amount", "invalid"],
    [{ total_amount: 1.0005, currency: "KWD" }, "total_amount", "invalid"],
    [{ total_amount: 129.505 }, "total_amount", "invalid"],
    [{ total_amount: -1 }, "total_amount", "out_of_range"],
    [{ total_amount: "129.50" }, "total_amount", "invalid"],
    [{ currency: "XYZ" }, "currency", "unknown_value"],
    [{ trip_type: "teleport" }, "trip_type", "unknown_value"],
    [{ trip_date: "2026-02-30T10:00:00Z" }, "trip_date", "invalid"],
    [{ trip_date: "" }, "trip_date", "required"],
    [{ customer_name: "  " }, "customer_name", "required"],
    [{ customer_name: "a\u0000b" }, "customer_name", "invalid"],
    [{ customer_email: "ada" }, "customer_email", "invalid"],
    [{ customer_email: "a@example.com\r\nBcc: b@example.com" }, "customer_email", "invalid"],
    [{ pickup_address: "x".repeat(501) }, "pickup_address", "too_long"],
    [{ notes: "\ud800" }, "notes", "invalid"],
    [{ pickup_lat: 90.5 }, "pickup_lat", "out_of_range"],
    [{ dropoff_lng: -181 }, "dropoff_lng", "out_of_range"],
    [{ participants_count: 0 }, "participants_count", "out_of_range"],
    [{ participants_count: "3" }, "participants_count", "invalid"],
    [{ car_id: 999_999 }, "car_id", "not_found"],
    [{ car_id: "1" }, "car_id", "invalid"]
  ] as const)("%j: %s is %s", ([change, field, issue]) =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, key } = yield* business(server)
      assert.deepStrictEqual(refusedAs(yield* book(server, key, change), 422, "invalid_request"), [
        { field, issue }
      ])
      assert.deepStrictEqual(yield* written(businessId), { trips: 0, events: 0, deliveries: 0 })
    })
  )

  it.effect("names every missing field and every wrong one", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      assert.deepStrictEqual(
        refusedAs(
          yield* server.send("POST", "/trips", { credential: key, body: { pickup_lat: 91, terminal: 2 } }),
          422,
          "invalid_request"
        ),
        [
          { field: "trip_date", issue: "required" },
          { field: "pickup_address", issue: "required" },
          { field: "pickup_lat", issue: "out_of_range" },
          { field: "dropoff_address", issue: "required" },
          { field: "customer_name", issue: "required" },
          { field: "terminal", issue: "invalid" }
        ]
      )
    })
  )

  it.effect("a price and a car that are checked against the business's data are named together", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, key } = yield* business(server)
      const other = yield* business(server)
      const foreign = yield* carOf(other.businessId)
      const answer = yield* book(server, key, { total_amount: 0.5, currency: "JPY", car_id: foreign })
      assert.deepStrictEqual(refusedAs(answer, 422, "invalid_request"), [
        { field: "total_amount", issue: "invalid" },
        { field: "car_id", issue: "not_found" }
      ])
      assert.deepStrictEqual(yield* written(businessId), { trips: 0, events: 0, deliveries: 0 })
    })
  )

  it.effect("another business's car gets the response of an absent one", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, key } = yield* business(server)
      const other = yield* business(server)
      const foreign = yield* book(server, key, { car_id: yield* carOf(other.businessId) })
      const absent = yield* book(server, key, { car_id: 999_999 })
      assert.deepStrictEqual(foreign.body.error, absent.body.error)
      assert.strictEqual(record(yield* book(server, other.key, { car_id: null }))["car_id"], null)
      assert.deepStrictEqual(yield* written(businessId), { trips: 0, events: 0, deliveries: 0 })
    })
  )
})

layer(Ports)("GET /trips/{id}", (it) => {
  it.effect("another business's trip, an absent one and a malformed id get the same response", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const other = yield* business(server)
      const { trip_id } = record(yield* book(server, other.key, {}))
      const read = (id: unknown) => server.send("GET", `/trips/${String(id)}`, { credential: key })
      assert.strictEqual(
        (yield* server.send("GET", `/trips/${String(trip_id)}`, { credential: other.key })).status,
        200
      )
      const foreign = yield* read(trip_id)
      refusedAs(foreign, 404, "not_found")
      refusedAs(yield* read(999_999), 404, "not_found")
      assert.deepStrictEqual((yield* read(999_999)).body.error, foreign.body.error)
      assert.deepStrictEqual(records(yield* server.send("GET", "/trips", { credential: key })), [])
      for (const malformed of ["x", "0", "-1", "1.5", "99999999999999999999", "1%00"])
        refusedAs(yield* read(malformed), 404, "not_found")
    })
  )
})
