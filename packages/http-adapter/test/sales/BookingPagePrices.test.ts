import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { wrong } from "../support/Fleet.ts"
import { excursion } from "../support/Tenant.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { later, places, customer, addresses, bookingPage } from "./BookingPage.ts"

layer(Ports, { timeout: 120_000 })("a booking page", (it) => {
  it.effect("books a ride at the displayed price, which another tariff no longer changes", () =>
    Effect.gen(function* () {
      const { businessId, offered, send, settings, tariff_id, visit } = yield* bookingPage(
        yield* openServer()
      )
      const sql = yield* SqlClient.SqlClient
      const trip_date = yield* later("3 days")
      const { price_token, total } = yield* offered(trip_date)
      assert.isAbove(total, 20)
      record(
        yield* send("PATCH", `/tariffs/${String(tariff_id)}`, {
          classes: [{ vehicle_class: "sedan", distance: [{ base: 999 }] }]
        })
      )
      yield* TestClock.adjust("15 minutes")
      const booked = record(
        yield* visit("POST", "/trips", { price_token, trip_date, ...customer, ...addresses, car_id: 1 })
      )
      assert.deepInclude(booked, {
        status: "confirmed",
        total_amount: total,
        currency: "USD",
        vehicle_class: "sedan",
        trip_date,
        pickup_address: "Main Station"
      })
      assert.notProperty(booked, "trip_id")
      const [trip] = records(yield* send("GET", `/trips?reference=${String(booked["reference"])}`))
      assert.deepInclude(trip, { ...customer, ...places, total_amount: total, car_id: null })
      const events = yield* sql`
        SELECT FROM events WHERE business_id = ${businessId} AND event_type = 'trip.created'`
      assert.lengthOf(events, 1)

      // A business that confirms its bookings manually.
      yield* settings({}, { booking_confirmation_required: true })
      const again = yield* offered(trip_date)
      assert.strictEqual(again.total, 999)
      assert.deepInclude(record(yield* visit("POST", "/trips", { ...again, ...customer, ...addresses })), {
        status: "pending",
        total_amount: 999
      })
    })
  )

  it.effect("displays the same price whatever distance and duration the visitor sends", () =>
    Effect.gen(function* () {
      const { visit } = yield* bookingPage(yield* openServer())
      const ride = { trip_date: yield* later("3 days"), ...places }
      const priced = (more: object) =>
        Effect.map(visit("POST", "/estimate", { ...ride, ...more }), (answer) =>
          (record(answer)["fares"] as ReadonlyArray<Record<string, unknown>>).map(
            ({ total_amount, vehicle_class }) => [vehicle_class, total_amount]
          )
        )
      const measured = yield* priced({})
      assert.isNotEmpty(measured)
      assert.deepStrictEqual(yield* priced({ distance_m: 1, duration_minutes: 1 }), measured)
    })
  )

  it.effect("honours a displayed price for 15 minutes, for the same business and ride only", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { offered, send, visit } = yield* bookingPage(server)
      const other = yield* bookingPage(server)
      record(yield* send("POST", "/products", excursion))
      const { products } = record(yield* visit("GET", ""))
      const [product] = products as ReadonlyArray<Record<string, unknown>>
      const trip_date = yield* later("3 days")
      const { price_token } = yield* offered(trip_date)
      const book = (body: object) => visit("POST", "/trips", { ...customer, ...addresses, ...body })
      const altered = `${price_token.slice(0, -3)}${price_token.endsWith("AAA") ? "BBB" : "AAA"}`
      const foreign = (yield* other.offered(trip_date)).price_token
      for (const bad of [altered, foreign, "x", "a".repeat(20_000), product?.["price_token"]])
        assert.deepStrictEqual(
          refusedAs(yield* book({ price_token: bad }), 422, "invalid_request"),
          wrong({ price_token: "invalid" })
        )
      assert.deepStrictEqual(
        refusedAs(yield* book({ price_token, trip_date: yield* later("4 days") }), 422, "invalid_request"),
        wrong({ trip_date: "invalid" })
      )
      assert.deepStrictEqual(
        refusedAs(yield* visit("POST", "/trips", { customer_email: "x" }), 422, "invalid_request"),
        wrong({
          price_token: "required",
          customer_name: "required",
          customer_email: "invalid",
          pickup_address: "required",
          dropoff_address: "required"
        })
      )
      yield* TestClock.adjust("901 seconds")
      refusedAs(yield* book({ price_token }), 409, "conflict")
      assert.isEmpty(records(yield* send("GET", "/trips")))
    })
  )

  it.effect("keeps the lead time of each class, the opening hours and the black-out dates", () =>
    Effect.gen(function* () {
      const { faresAt, offered, settings, visit } = yield* bookingPage(yield* openServer())
      const classesOf = (answer: Readonly<Record<string, unknown>>, list: "fares" | "unavailable") =>
        (answer[list] as ReadonlyArray<Record<string, unknown>>).map(({ reason, vehicle_class }) =>
          reason === undefined ? vehicle_class : [vehicle_class, reason]
        )
      yield* settings({ lead_minutes: 60, class_leads: [{ vehicle_class: "bus", minutes: 600 }] })
      const soon = yield* faresAt(yield* later("2 hours"))
      assert.deepStrictEqual(classesOf(soon, "fares"), ["sedan"])
      assert.deepStrictEqual(classesOf(soon, "unavailable"), [["bus", "too_late"]])
      const later59 = yield* faresAt(yield* later("59 minutes"))
      assert.deepStrictEqual(classesOf(later59, "fares"), [])
      // A displayed price can be booked while it is honoured.
      const { price_token } = yield* offered(yield* later("60 minutes"))
      yield* TestClock.adjust("10 minutes")
      record(yield* visit("POST", "/trips", { price_token, ...customer, ...addresses }))

      yield* settings({ manual_pricing_hours: 4 })
      const manual = yield* faresAt(yield* later("3 hours"))
      assert.deepStrictEqual(classesOf(manual, "fares"), [])
      assert.deepStrictEqual(classesOf(manual, "unavailable"), [
        ["sedan", "on_request"],
        ["bus", "on_request"]
      ])
      assert.lengthOf(classesOf(yield* faresAt(yield* later("4 hours")), "fares"), 2)

      // 23 November 2026 is a Monday; Zurich is an hour ahead of UTC.
      yield* settings(
        {
          opening_hours: [{ from: "08:00", to: "20:00", weekdays: ["mon", "tue"] }],
          blackout_dates: [{ from: "2026-11-24" }]
        },
        { timezone: "Europe/Zurich" }
      )
      for (const [trip_date, isOpen] of [
        ["2026-11-23T07:00:00Z", true],
        ["2026-11-23T06:59:00Z", false],
        ["2026-11-23T19:00:00Z", false],
        ["2026-11-24T12:00:00Z", false],
        ["2026-11-25T12:00:00Z", false],
        ["2026-11-30T12:00:00Z", true],
        ["2026-11-01T12:00:00Z", false]
      ] as const) {
        const answer = yield* visit("POST", "/estimate", { trip_date, ...places })
        if (isOpen) record(answer)
        else
          assert.deepStrictEqual(
            refusedAs(answer, 422, "invalid_request"),
            wrong({ trip_date: "out_of_range" }),
            trip_date
          )
      }
      const closing = yield* offered("2026-11-30T12:00:00Z")
      yield* settings({ blackout_dates: [{ from: "11-30" }] })
      assert.deepStrictEqual(
        refusedAs(
          yield* visit("POST", "/trips", { ...closing, ...customer, ...addresses }),
          422,
          "invalid_request"
        ),
        wrong({ trip_date: "out_of_range" })
      )
    })
  )

  it.effect("books places of a product at the displayed price, and never more than there are", () =>
    Effect.gen(function* () {
      const { send, settings, visit } = yield* bookingPage(yield* openServer())
      const { product_id } = record(yield* send("POST", "/products", { ...excursion, capacity: 3 }))
      const tokenOfPage = Effect.map(visit("GET", ""), (page) => {
        const [product] = record(page)["products"] as ReadonlyArray<{ price_token: string }>
        return product?.price_token
      })
      const [price_token, unused] = [yield* tokenOfPage, yield* tokenOfPage]
      record(yield* send("PATCH", `/products/${String(product_id)}`, { price: 60 }))
      const starts_at = yield* later("3 days")
      const book = (body: object) =>
        visit("POST", "/bookings", { product_id, starts_at, ...customer, ...body })
      const kept = record(yield* book({ price_token }))
      assert.deepInclude(kept, { status: "confirmed", total_amount: 45, participants_count: 1 })
      assert.notProperty(kept, "booking_id")
      assert.lengthOf(records(yield* send("GET", "/trips")), 1)
      yield* settings({}, { booking_confirmation_required: true })
      assert.deepInclude(record(yield* book({})), { status: "pending", total_amount: 60 })
      refusedAs(yield* book({ participants_count: 2 }), 409, "conflict")
      const other = record(yield* send("POST", "/products", excursion))
      assert.deepStrictEqual(
        refusedAs(yield* book({ product_id: other["product_id"], price_token }), 422, "invalid_request"),
        wrong({ price_token: "invalid" })
      )
      assert.deepStrictEqual(
        refusedAs(yield* book({ product_id: 999_999_999 }), 422, "invalid_request"),
        wrong({ product_id: "not_found" })
      )
      yield* settings({ blackout_dates: [{ from: starts_at.slice(0, 10) }] })
      assert.deepStrictEqual(
        refusedAs(yield* book({}), 422, "invalid_request"),
        wrong({ starts_at: "out_of_range" })
      )
      yield* TestClock.adjust("16 minutes")
      refusedAs(yield* book({ price_token: unused }), 409, "conflict")
      assert.lengthOf(records(yield* send("GET", "/bookings")), 2)
    })
  )

  it.effect("refuses the estimate of a ride with more child seats than a trip can have", () =>
    Effect.gen(function* () {
      const { visit } = yield* bookingPage(yield* openServer())
      const ride = { trip_date: yield* later("3 days"), ...places }
      assert.deepStrictEqual(
        refusedAs(
          yield* visit("POST", "/estimate", { ...ride, child_seats: [{ type: "booster", count: 101 }] }),
          422,
          "invalid_request"
        ),
        wrong({ "child_seats.0.count": "out_of_range" })
      )
    })
  )

  it.effect("books every ride that an estimate accepts", () =>
    Effect.gen(function* () {
      const { send, tariff_id, visit } = yield* bookingPage(yield* openServer({ limits: { public: 10_000 } }))
      const trip_date = yield* later("3 days")
      const bookAll = Effect.fnUntraced(function* (more: object) {
        const estimate = yield* visit("POST", "/estimate", { trip_date, ...places, ...more })
        if (estimate.status === 422) return 0
        const fares = record(estimate)["fares"] as ReadonlyArray<Record<string, unknown>>
        for (const { price_token } of fares) {
          const told = `${JSON.stringify(more)}: ${estimate.text}`
          const booked = yield* visit("POST", "/trips", { price_token, ...customer, ...addresses })
          assert.strictEqual(booked.status, 201, `${told}: ${booked.fault ?? booked.text}`)
        }
        return fares.length
      })
      const stop = { lat: 47.4, lng: 8.5, minutes: 44_640 }
      const extremes: ReadonlyArray<object> = [
        ...[0, 1, 100, 101, 10_000].map((count) => ({ child_seats: [{ type: "booster", count }] })),
        ...[20, 21].map((length) => ({
          child_seats: Array.from({ length }, () => ({ type: "x".repeat(50), count: 100 }))
        })),
        ...[1, 10_000, 10_001].map((participants_count) => ({ participants_count })),
        ...[0, 10_000, 10_001].map((luggage_count) => ({ luggage_count })),
        ...[50, 51].map((length) => ({ stops: Array.from({ length }, () => stop) })),
        ...[20, 21].map((length) => ({ pickup_postal_code: "8".repeat(length) })),
        { dropoff_lat: -90, dropoff_lng: 180 },
        { trip_type: "round_trip", meet_and_greet: true, arrival: "flight" }
      ]
      let booked = 0
      for (const more of extremes) booked += yield* bookAll(more)
      assert.isAbove(booked, 20)

      // A ride of 1,500 km for 10,000,000 VND a kilometre costs more than the price of a trip may be.
      const distance = [{ base: 0, tiers: [{ amount: 10_000_000 }] }]
      const classes = [{ vehicle_class: "sedan", distance }]
      record(yield* send("PATCH", `/tariffs/${String(tariff_id)}`, { currency: "VND", classes }))
      const far = { dropoff_lat: 60.17, dropoff_lng: 24.94 }
      assert.strictEqual(yield* bookAll(far), 0)
      const { unavailable } = record(yield* visit("POST", "/estimate", { trip_date, ...places, ...far }))
      assert.deepStrictEqual(unavailable, [{ vehicle_class: "sedan", reason: "amount_too_large" }])
      assert.strictEqual(yield* bookAll({}), 1)
    })
  )
})
