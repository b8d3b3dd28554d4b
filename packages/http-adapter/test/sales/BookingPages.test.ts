import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { wrong } from "../support/Fleet.ts"
import { setStatus } from "../support/People.ts"
import { excursion } from "../support/Tenant.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { later, places, customer, addresses, bookingPage } from "./BookingPage.ts"

layer(PortsInMemory, { timeout: 120_000 })("a booking page", (it) => {
  it.effect("shows only the profile of the business and its active products", () =>
    Effect.gen(function* () {
      const { send, slug, visit } = yield* bookingPage(yield* openServer())
      record(yield* send("POST", "/products", excursion))
      record(yield* send("POST", "/products", { ...excursion, name: "Idle", active: false }))
      const page = record(yield* visit("GET", ""))
      assert.hasAllKeys(page, [
        "business_name",
        "vendor_slug",
        "phone",
        "website_url",
        "logo_url",
        "accent_color",
        "timezone",
        "currency",
        "booking_confirmation_required",
        "booking_page",
        "finds_places",
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
        record(yield* (yield* openServer()).send("GET", `/public/businesses/${slug.toUpperCase()}`))[
          "vendor_slug"
        ],
        slug
      )
    })
  )

  it.effect("refuses a time whose offset or time zone carries it out of the years 1970 to 2999", () =>
    Effect.gen(function* () {
      const { send, settings, visit } = yield* bookingPage(yield* openServer())
      const { product_id } = record(yield* send("POST", "/products", excursion))
      for (const timezone of ["America/New_York", "Pacific/Auckland"]) {
        yield* settings({}, { timezone })
        const answers = (at: string) =>
          Effect.all([
            visit("POST", "/estimate", { trip_date: at, ...places }),
            visit("POST", "/quotes", { trip_date: at, ...customer, ...addresses }),
            visit("POST", "/bookings", { product_id, starts_at: at, ...customer }),
            send("POST", "/bookings", { product_id, starts_at: at, ...customer })
          ])
        for (const at of ["2999-12-31T23:59:59-14:00", "2999-12-31T23:59:59", "1970-01-01T00:00:00+14:00"])
          for (const [index, answer] of (yield* answers(at)).entries())
            assert.deepStrictEqual(
              refusedAs(answer, 422, "invalid_request"),
              wrong({ [index < 2 ? "trip_date" : "starts_at"]: "invalid" }),
              at
            )
        for (const at of ["2999-12-31T23:59:59Z", "1970-01-01T00:00:00Z"])
          for (const answer of yield* answers(at)) assert.isBelow(answer.status, 500, `${at} ${answer.text}`)
        const last = { product_id, starts_at: "2999-12-31T23:59:59Z", ...customer }
        const { booking_id } = record(yield* send("POST", "/bookings", last))
        record(yield* send("POST", `/bookings/${String(booking_id)}/confirm`, { email: false }))
      }
    })
  )

  it.effect("has settings that are checked field by field", () =>
    Effect.gen(function* () {
      const { send } = yield* bookingPage(yield* openServer())
      assert.deepStrictEqual(
        refusedAs(
          yield* send("PATCH", "/settings/business", {
            booking_page: {
              lead_minutes: -1,
              class_leads: [{ vehicle_class: "tank", minutes: 5 }],
              opening_hours: [{ from: "08:00", to: "08:00" }, { from: "25:00" }],
              blackout_dates: [
                { from: "2026-02-30" },
                { from: "2026-12-31", to: "2026-12-24" },
                { from: "12-24", to: "2026-12-26" },
                { from: "12-31", to: "01-02" }
              ],
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
          "booking_page.blackout_dates.1": "invalid",
          "booking_page.blackout_dates.2": "invalid",
          "booking_page.manual_pricing_hours": "out_of_range"
        })
      )
    })
  )

  it.effect("takes requests for quotes as drafts of the business", () =>
    Effect.gen(function* () {
      const { send, visit } = yield* bookingPage(yield* openServer())
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

  it.effect(
    "gives the visitor the token of the booked ride's tracking link, also when the request is repeated",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { offered, visit } = yield* bookingPage(server)
        const trip_date = yield* later("3 days")
        const { price_token } = yield* offered(trip_date)
        const body = { price_token, ...customer, pickup_address: "Main Station", dropoff_address: "Airport" }
        const { tracking_token } = record(yield* visit("POST", "/trips", body))
        const followed = record(yield* server.send("GET", `/public/tracking/${String(tracking_token)}`))
        assert.strictEqual(followed["status"], "confirmed")
        assert.strictEqual(record(yield* visit("POST", "/trips", body))["tracking_token"], tracking_token)
      })
  )

  it.effect("describes a requested ride by its addresses, cut to whole characters", () =>
    Effect.gen(function* () {
      const { send, visit } = yield* bookingPage(yield* openServer())
      const trip_date = yield* later("1 hour")
      const pickup_address = "a".repeat(496)
      record(
        yield* visit("POST", "/quotes", {
          trip_date,
          ...customer,
          pickup_address,
          dropoff_address: "🚖 rank"
        })
      )
      const [quote] = records(yield* send("GET", "/quotes"))
      const [item] = (quote?.["items"] ?? []) as ReadonlyArray<{ readonly description: string }>
      assert.strictEqual(item?.description, `${pickup_address} – 🚖`)
    })
  )

  it.effect("of a suspended business is absent like that of an unknown one", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, offered, path, send } = yield* bookingPage(server)
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
        const suspended = yield* server.send(method, `${path}${below}`, given)
        const absent = yield* server.send(method, `/public/businesses/no-such-business${below}`, given)
        refusedAs(suspended, 404, "not_found")
        assert.strictEqual(textOf(suspended), textOf(absent))
      }
    })
  )

  it.effect("is limited per IP address", () =>
    Effect.gen(function* () {
      const plain = yield* openServer()
      const { path } = yield* bookingPage(plain)
      const server = yield* openServer({ limits: { public: 2 } })
      const ask = (peer: string) => server.send("GET", path, { peer })
      yield* TestClock.adjust("61 seconds")
      for (const status of [200, 200, 429]) assert.strictEqual((yield* ask("192.0.2.7")).status, status)
      assert.strictEqual((yield* ask("192.0.2.8")).status, 200)
    })
  )

  it.effect("answers hostile requests with the envelope, and without data of other businesses", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { path, send } = yield* bookingPage(server)
      const secret = yield* bookingPage(server)
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
        const answer = yield* server.send("POST", below, ask)
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
