import { assert, layer } from "@effect/vitest"
import { DateTime, type Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { company, wrong } from "../support/Fleet.ts"
import { setStatus } from "../support/People.ts"
import { excursion, tariff } from "../support/Tenant.ts"
import { Ports } from "../support/TestPorts.ts"
import { openWire, record, records, refusedAs, type Wire } from "../support/Wire.ts"

/** The instant after that time, by the test's clock. */
const later = (time: Duration.Input) =>
  Effect.map(DateTime.now, (now) => DateTime.formatIso(DateTime.addDuration(now, time)).replace(".000Z", "Z"))

const places = { pickup_lat: 47.3769, pickup_lng: 8.5417, dropoff_lat: 47.4502, dropoff_lng: 8.5618 }
const customer = { customer_name: "Ada", customer_email: "ada@example.com" }
const addresses = { pickup_address: "Main Station", dropoff_address: "Airport" }

/** A business with a tariff of two classes, and how strangers use its page. */
const shop = Effect.fnUntraced(function* (wire: Wire) {
  const owner = yield* company(wire)
  const distance = [{ base: 20, tiers: [{ amount: 2.5 }] }]
  const { tariff_id } = record(
    yield* owner.send("POST", "/tariffs", {
      ...tariff,
      classes: [
        { vehicle_class: "sedan", distance },
        { vehicle_class: "bus", distance: [{ base: 200, tiers: [{ amount: 2.5 }] }] }
      ]
    })
  )
  const { vendor_slug } = record(yield* owner.send("GET", "/settings/business"))
  const path = `/public/businesses/${String(vendor_slug)}`
  const visit = (method: string, below: string, body?: unknown) =>
    wire.send(method, `${path}${below}`, body === undefined ? {} : { body })
  const settings = (booking_page: object, others: object = {}) =>
    Effect.map(owner.send("PATCH", "/settings/business", { booking_page, ...others }), record)
  const faresAt = (trip_date: string) =>
    Effect.map(visit("POST", "/estimate", { trip_date, ...places }), record)
  const offered = Effect.fnUntraced(function* (trip_date: string, vehicleClass = "sedan") {
    const { fares } = yield* faresAt(trip_date)
    const fare = (fares as ReadonlyArray<Record<string, unknown>>).find(
      ({ vehicle_class }) => vehicle_class === vehicleClass
    )
    return { total: Number(fare?.["total_amount"]), price_token: String(fare?.["price_token"]) }
  })
  return { ...owner, faresAt, offered, path, settings, slug: String(vendor_slug), tariff_id, visit }
})

layer(Ports, { timeout: 120_000 })("a booking page", (it) => {
  it.effect("shows the profile of the business and its active products, and nothing else of it", () =>
    Effect.gen(function* () {
      const { send, slug, visit } = yield* shop(yield* openWire())
      record(yield* send("POST", "/products", excursion))
      record(yield* send("POST", "/products", { ...excursion, name: "Idle", active: false }))
      const page = record(yield* visit("GET", ""))
      assert.hasAllKeys(page, [
        "business_name",
        "vendor_slug",
        "phone",
        "website_url",
        "logo_url",
        "timezone",
        "currency",
        "booking_confirmation_required",
        "booking_page",
        "products"
      ])
      assert.strictEqual(page["vendor_slug"], slug)
      const [product, ...others] = page["products"] as ReadonlyArray<Record<string, unknown>>
      assert.isEmpty(others)
      assert.deepInclude(product, {
        name: "Excursion",
        price: 45,
        currency: "USD",
        price_valid_until: yield* later("15 minutes")
      })
      assert.notProperty(product, "capacity")
      assert.strictEqual(
        record(yield* (yield* openWire()).send("GET", `/public/businesses/${slug.toUpperCase()}`))[
          "vendor_slug"
        ],
        slug
      )
    })
  )

  it.effect("books a ride at the displayed price, which another tariff no longer changes", () =>
    Effect.gen(function* () {
      const { businessId, offered, send, settings, tariff_id, visit } = yield* shop(yield* openWire())
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

      // A business that confirms its bookings itself.
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
      const { visit } = yield* shop(yield* openWire())
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

  it.effect("honours a displayed price for 15 minutes, of its own business and ride alone", () =>
    Effect.gen(function* () {
      const wire = yield* openWire()
      const { offered, send, visit } = yield* shop(wire)
      const other = yield* shop(wire)
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
      const { faresAt, offered, settings, visit } = yield* shop(yield* openWire())
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
      // The price stays bookable for as long as it is honoured.
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

  it.effect("has settings that are checked field by field", () =>
    Effect.gen(function* () {
      const { send } = yield* shop(yield* openWire())
      assert.deepStrictEqual(
        refusedAs(
          yield* send("PATCH", "/settings/business", {
            booking_page: {
              lead_minutes: -1,
              class_leads: [{ vehicle_class: "tank", minutes: 5 }],
              opening_hours: [{ from: "08:00", to: "08:00" }, { from: "25:00" }],
              blackout_dates: [{ from: "2026-02-30" }],
              manual_pricing_hours: 745
            }
          }),
          422,
          "invalid_request"
        ),
        wrong({
          "booking_page.lead_minutes": "out_of_range",
          "booking_page.class_leads.0.vehicle_class": "unknown_value",
          "booking_page.opening_hours.0": "invalid",
          "booking_page.opening_hours.1.from": "invalid",
          "booking_page.blackout_dates.0.from": "invalid",
          "booking_page.manual_pricing_hours": "out_of_range"
        })
      )
    })
  )

  it.effect("books places of a product at the displayed price, and never more than there are", () =>
    Effect.gen(function* () {
      const { send, settings, visit } = yield* shop(yield* openWire())
      const { product_id } = record(yield* send("POST", "/products", { ...excursion, capacity: 3 }))
      const { products } = record(yield* visit("GET", ""))
      const [{ price_token } = { price_token: "" }] = products as ReadonlyArray<{ price_token: string }>
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
      refusedAs(yield* book({ price_token }), 409, "conflict")
      assert.lengthOf(records(yield* send("GET", "/bookings")), 2)
    })
  )

  it.effect("takes requests for quotes as drafts of the business", () =>
    Effect.gen(function* () {
      const { send, visit } = yield* shop(yield* openWire())
      const trip_date = yield* later("1 hour")
      const body = { trip_date, ...customer, ...addresses, ...places, notes: "Two dogs" }
      const { reference } = record(yield* visit("POST", "/quotes", body))
      const [quote] = records(yield* send("GET", "/quotes"))
      assert.deepInclude(quote, { reference, status: "draft", ...customer })
      record(yield* send("POST", `/quotes/${String(quote?.["quote_id"])}/price`, { vehicle_class: "sedan" }))
      record(yield* send("POST", `/quotes/${String(quote?.["quote_id"])}/convert`))
      const [trip] = records(yield* send("GET", "/trips"))
      assert.deepInclude(trip, { trip_date, ...addresses, notes: "Two dogs" })
      assert.deepStrictEqual(
        refusedAs(
          yield* visit("POST", "/quotes", { trip_date: "2020-01-01T00:00:00Z" }),
          422,
          "invalid_request"
        ),
        wrong({
          pickup_address: "required",
          dropoff_address: "required",
          customer_name: "required",
          customer_email: "required"
        })
      )
      assert.deepStrictEqual(
        refusedAs(
          yield* visit("POST", "/quotes", { ...body, trip_date: "2020-01-01T00:00:00Z" }),
          422,
          "invalid_request"
        ),
        wrong({ trip_date: "out_of_range" })
      )
    })
  )

  it.effect("of a suspended business is absent, as that of no business is", () =>
    Effect.gen(function* () {
      const wire = yield* openWire()
      const { businessId, offered, path, send } = yield* shop(wire)
      const { product_id } = record(yield* send("POST", "/products", excursion))
      const trip_date = yield* later("3 days")
      const { price_token } = yield* offered(trip_date)
      yield* setStatus(businessId, "D")
      const textOf = ({ text }: { readonly text: string }) => text.replaceAll(/req_[0-9a-f]{24}/gu, "req")
      for (const [method, below, body] of [
        ["GET", "", undefined],
        ["POST", "/estimate", { trip_date, ...places }],
        ["POST", "/quotes", { trip_date, ...customer, ...addresses }],
        ["POST", "/trips", { price_token, ...customer, ...addresses }],
        ["POST", "/bookings", { product_id, starts_at: trip_date, ...customer }]
      ] as const) {
        const given = body === undefined ? {} : { body }
        const suspended = yield* wire.send(method, `${path}${below}`, given)
        const absent = yield* wire.send(method, `/public/businesses/no-such-business${below}`, given)
        refusedAs(suspended, 404, "not_found")
        assert.strictEqual(textOf(suspended), textOf(absent))
      }
    })
  )

  it.effect("is limited per IP address", () =>
    Effect.gen(function* () {
      const plain = yield* openWire()
      const { path } = yield* shop(plain)
      const wire = yield* openWire({ limits: { public: 2 } })
      const ask = (peer: string) => wire.send("GET", path, { peer })
      yield* TestClock.adjust("61 seconds")
      for (const status of [200, 200, 429]) assert.strictEqual((yield* ask("192.0.2.7")).status, status)
      assert.strictEqual((yield* ask("192.0.2.8")).status, 200)
    })
  )

  it.effect("answers hostile requests with the envelope, and without data of other businesses", () =>
    Effect.gen(function* () {
      const wire = yield* openWire()
      const { path, send } = yield* shop(wire)
      const secret = yield* shop(wire)
      record(yield* secret.send("POST", "/products", { ...excursion, name: "Hidden excursion" }))
      const hidden = record(yield* secret.send("POST", "/customers", { name: "Hidden customer" }))
      const [shown] = records(yield* secret.send("GET", "/products"))
      const { product_id } = record(yield* send("POST", "/products", excursion))
      const odd: ReadonlyArray<unknown> = [
        null,
        true,
        -1,
        1e308,
        "",
        "' OR 1=1; --",
        "\u0000",
        "\ud800",
        "x".repeat(30_000),
        [],
        Array.from({ length: 500 }, () => ({})),
        {},
        { __proto__: null, constructor: 1 },
        "2026-12-24T18:00:00Z",
        hidden["customer_id"],
        shown?.["product_id"]
      ]
      const bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
        "/estimate": { trip_date: "2026-12-24T18:00:00Z", ...places },
        "/quotes": { trip_date: "2026-12-24T18:00:00Z", ...customer, ...addresses },
        "/trips": { price_token: "x", trip_date: "2026-12-24T18:00:00Z", ...customer, ...addresses },
        "/bookings": { product_id, starts_at: "2026-12-24T18:00:00Z", ...customer, price_token: "x" }
      }
      const texts = ["", "{", "null", "[]", "1", '"x"', '{"a":'.repeat(2000), "[".repeat(50_000), "\u0000"]
      let asked = 0
      const check = Effect.fnUntraced(function* (below: string, ask: object) {
        const answer = yield* wire.send("POST", below, ask)
        asked += 1
        assert.include(
          [201, 200, 400, 404, 409, 413, 422],
          answer.status,
          `${below}: ${answer.fault ?? answer.text}`
        )
        assert.property(answer.body, "meta")
        assert.notInclude(answer.text, "Hidden")
      })
      for (const [below, good] of Object.entries(bodies)) {
        for (const text of texts) yield* check(`${path}${below}`, { text })
        for (const slug of ["%00", "..%2f..", "'", "a".repeat(3000), "%ff"])
          yield* check(`/public/businesses/${slug}${below}`, { body: good })
        for (const field of [...Object.keys(good), "customer_id", "stops", "child_seats", "currency"])
          for (const value of odd) yield* check(`${path}${below}`, { body: { ...good, [field]: value } })
      }
      assert.isAbove(asked, 500)
      assert.isEmpty(records(yield* secret.send("GET", "/quotes")))
      assert.isEmpty(records(yield* secret.send("GET", "/bookings")))
      assert.isEmpty(records(yield* secret.send("GET", "/trips")))
    })
  )
})
