import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assertPrivate } from "../support/DriverPrivacy.ts"
import { wrong } from "../support/Fleet.ts"
import { Ports } from "../support/TestPorts.ts"
import { type Answer, openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { bookingPage, customer } from "./BookingPage.ts"

const tour = {
  name: "City tour",
  kind: "tour",
  price: 45,
  duration_minutes: 180,
  pickup_address: "Station",
  dropoff_address: "Station",
  departures: [
    { times: ["10:00", "14:30"], seats: 8 },
    { weekdays: ["sat"], times: ["20:00"], seats: 1 }
  ]
}

/** Saturday, on the clock of Zurich an hour later than in UTC. */
const day = "2026-12-05"
const saturday = `date_from=${day}&date_to=${day}`
const at = (time: string) => `${day}T${time}:00`

/** A business in Zurich with a tour, and functions that read its departures and book them. */
const given = Effect.gen(function* () {
  const server = yield* openServer()
  const page = yield* bookingPage(server)
  const { send, settings, visit } = page
  yield* settings({}, { timezone: "Europe/Zurich" })
  const { product_id } = record(yield* send("POST", "/products", tour))
  const id = String(product_id)
  const departures = (query = saturday) => visit("GET", `/products/${id}/departures?${query}`)
  const placesAt = Effect.map(departures(), (answer) =>
    Object.fromEntries(
      records(answer).map(({ places_left, starts_local }) => [
        String(starts_local).slice(11, 16),
        Number(places_left)
      ])
    )
  )
  const book = (time: string, participants_count = 1, more: object = {}) =>
    visit("POST", "/bookings", { ...customer, product_id, starts_at: at(time), participants_count, ...more })
  const bookings = Effect.map(send("GET", `/bookings?product_id=${id}`), records)
  return { ...page, book, bookings, departures, id, placesAt, product_id, server }
})

const statuses = (answers: ReadonlyArray<Answer>) =>
  [201, 409].map((status) => answers.filter((answer) => answer.status === status).length)

layer(Ports, { timeout: 60_000 })("the departures of a tour", (it) => {
  it.effect("are shown to visitors with the places that are left", () =>
    Effect.gen(function* () {
      const { book, departures, id, placesAt, send, settings, visit } = yield* given
      const [first] = records(yield* departures())
      assert.deepStrictEqual(first, {
        starts_at: `${day}T09:00:00Z`,
        starts_local: `${day} 10:00:00`,
        ends_at: `${day}T12:00:00Z`,
        places_left: 8
      })
      record(yield* book("10:00", 3))
      record(yield* book("20:00"))
      assert.deepStrictEqual(yield* placesAt, { "10:00": 5, "14:30": 8, "20:00": 0 })
      const [ours] = records(yield* send("GET", `/products/${id}/departures?${saturday}`))
      assert.deepInclude(ours, { seats: 8, places_taken: 3, places_left: 5, cancelled: false })
      assert.isNumber(ours?.["trip_id"])
      // Times at which the business takes no bookings are left out.
      yield* settings({ opening_hours: [{ from: "08:00", to: "12:00" }] })
      assert.deepStrictEqual(yield* placesAt, { "10:00": 5 })
      for (const [query, details] of [
        ["", { date_from: "required", date_to: "required" }],
        ["date_from=today&date_to=2026-12-05", { date_from: "invalid" }],
        ["date_from=2026-12-06&date_to=2026-12-05", { date_to: "out_of_range" }],
        ["date_from=2026-12-01&date_to=2027-01-01", { date_to: "out_of_range" }]
      ] as const)
        assert.deepStrictEqual(refusedAs(yield* departures(query), 422, "invalid_request"), wrong(details))
      refusedAs(yield* visit("GET", `/products/999999/departures?${saturday}`), 404, "not_found")
      record(yield* send("PATCH", `/products/${id}`, { active: false }))
      refusedAs(yield* departures(), 404, "not_found")
    })
  )

  it.effect("take bookings at their times only, and a schedule with wrong fields is refused", () =>
    Effect.gen(function* () {
      const { book, bookings, id, send } = yield* given
      for (const time of ["10:01", "11:00", "20:30"])
        assert.deepStrictEqual(
          refusedAs(yield* book(time), 422, "invalid_request"),
          wrong({ starts_at: "out_of_range" })
        )
      assert.isEmpty(yield* bookings)
      for (const [departures, details] of [
        [
          [{ times: [], seats: 0 }],
          { "departures.0.times": "required", "departures.0.seats": "out_of_range" }
        ],
        [
          [{ weekdays: ["caturday"], times: ["24:00"], seats: 8 }],
          { "departures.0.weekdays.0": "unknown_value", "departures.0.times.0": "invalid" }
        ],
        [[tour.departures[0], { times: ["10:00"], seats: 1 }], { departures: "invalid" }]
      ] as const)
        assert.deepStrictEqual(
          refusedAs(yield* send("PATCH", `/products/${id}`, { departures }), 422, "invalid_request"),
          wrong(details)
        )
    })
  )

  it.effect("never take more bookings than they have seats, and have one trip, whoever comes first", () =>
    Effect.gen(function* () {
      const { book, bookings, businessId, placesAt, send } = yield* given
      const sql = yield* SqlClient.SqlClient
      const race = (time: string, times: number, participants = 1) =>
        Effect.forEach(
          Array.from({ length: times }, () => book(time, participants)),
          (visit) => visit,
          { concurrency: "unbounded" }
        )
      const forLast = yield* race("20:00", 20)
      assert.deepStrictEqual(statuses(forLast), [1, 19])
      for (const answer of forLast.filter(({ status }) => status === 409)) refusedAs(answer, 409, "conflict")
      assert.deepStrictEqual(statuses(yield* race("14:30", 12, 3)), [2, 10])
      assert.deepStrictEqual(yield* placesAt, { "10:00": 8, "14:30": 2, "20:00": 0 })
      const trips = new Set((yield* bookings).map(({ trip_id }) => Number(trip_id)))
      assert.strictEqual(trips.size, 2)
      const eventsOf = Effect.map(
        sql<{ readonly count: number }>`
          SELECT count(*)::int AS count FROM events
          WHERE business_id = ${businessId} AND event_type = 'trip.created'`,
        ([row]) => row?.count
      )
      assert.strictEqual(yield* eventsOf, 2)
      // Concurrent cancellations: the trip goes with the last booking.
      const ofTwo = (yield* bookings).filter(({ participants_count }) => participants_count === 3)
      const cancelled = yield* Effect.forEach(
        ofTwo,
        ({ booking_id }) => send("POST", `/bookings/${String(booking_id)}/cancel`, { email: false }),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(cancelled.map(record), 2)
      const trip = record(yield* send("GET", `/trips/${String(ofTwo[0]?.["trip_id"])}`))
      assert.deepInclude(trip, { status: "cancelled", cancelled_by: "operator" })
      assert.strictEqual((yield* placesAt)["14:30"], 8)
      assert.strictEqual(yield* eventsOf, 2)
    })
  )

  it.effect("have bookings that are paid each by its own invoice", () =>
    Effect.gen(function* () {
      const { book, bookings, send } = yield* given
      record(yield* book("10:00", 2))
      record(yield* book("10:00", 1))
      const [one, two] = (yield* bookings).toSorted(
        (first, second) => Number(first["booking_id"]) - Number(second["booking_id"])
      )
      const path = `/bookings/${String(one?.["booking_id"])}`
      record(yield* send("POST", `${path}/payments`, { amount: 90, method: "cash" }))
      const paid = record(yield* send("GET", path))
      assert.deepInclude(paid, { payment_status: "paid", shares_trip: true })
      assert.deepInclude(record(yield* send("GET", `/bookings/${String(two?.["booking_id"])}`)), {
        payment_status: "unpaid",
        invoice_id: null,
        trip_id: paid["trip_id"]
      })
      assert.deepInclude(record(yield* send("GET", `/invoices/${String(paid["invoice_id"])}`)), {
        total_amount: 90,
        trip_ids: []
      })
      assert.deepInclude(record(yield* send("GET", `/trips/${String(paid["trip_id"])}`)), {
        payment_status: "unpaid",
        total_amount: null
      })
    })
  )

  it.effect("show the driver who takes part", () =>
    Effect.gen(function* () {
      const { book, bookings, driver, send, server } = yield* given
      record(yield* book("10:00", 2, { customer_phone: "+41 44 668 18 00" }))
      record(yield* book("10:00", 1, { customer_name: "Grace", pickup_address: "Grand Hotel" }))
      const [{ trip_id } = { trip_id: null }] = yield* bookings
      const { driver_id } = yield* driver({ name: "Joan" })
      const { drivers } = record(
        yield* send("POST", `/trips/${String(trip_id)}/drivers`, { driver_ids: [driver_id] })
      )
      const [{ driver_token }] = drivers as readonly [{ readonly driver_token: string }]
      const answer = yield* server.send("GET", `/driver/trip?token=${driver_token}`)
      assert.deepInclude(record(answer), {
        customer_name: "City tour",
        participants_count: 3,
        participants: [
          { name: "Ada", phone: "+41 44 668 18 00", count: 2, pickup_address: null },
          { name: "Grace", phone: null, count: 1, pickup_address: "Grand Hotel" }
        ]
      })
      assertPrivate(answer)
    })
  )
})
