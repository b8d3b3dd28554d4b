import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { company, wrong } from "../support/Fleet.ts"
import { excursion } from "../support/Tenant.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { later } from "./BookingPage.ts"

const addresses = { pickup_address: "Here", dropoff_address: "There" }

const at = (time: string) => `2026-12-24T${time}:00Z`

layer(Ports, { timeout: 60_000 })("bookings", (it) => {
  it.effect("of 100 concurrent ones for the last 3 places, 3 succeed", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
      const sql = yield* SqlClient.SqlClient
      const product = {
        name: "Tour",
        kind: "tour",
        price: 10,
        capacity: 8,
        duration_minutes: 120,
        ...addresses
      }
      const { product_id } = record(yield* send("POST", "/products", product))
      const book = (starts_at: string, participants_count = 1) =>
        send("POST", "/bookings", { product_id, starts_at, participants_count, customer_name: "Ada" })
      const first = record(yield* book(at("10:00"), 5))
      assert.deepInclude(first, { status: "pending", total_amount: 50, ends_at: at("12:00") })
      const answers = yield* Effect.forEach(
        Array.from({ length: 100 }, (_, index) => at(index % 2 === 0 ? "11:00" : "10:30")),
        (start) => book(start),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        answers.filter(({ status }) => status === 201),
        3
      )
      for (const answer of answers.filter(({ status }) => status !== 201)) refusedAs(answer, 409, "conflict")
      record(yield* book(at("13:00"), 8))
      refusedAs(yield* book(at("09:00"), 8), 409, "conflict")
      refusedAs(yield* send("PATCH", `/products/${String(product_id)}`, { capacity: 7 }), 409, "conflict")
      const [{ most } = { most: 0 }] = yield* sql<{
        most: number
      }>`SELECT max(taken) AS most FROM product_loads`
      assert.strictEqual(most, 8)
      // A pending booking gives its places back when it expires.
      yield* TestClock.adjust("25 hours")
      record(yield* book(at("10:00"), 8))
    })
  )

  it.effect("with wrong fields are refused, naming all of them, and nothing is stored", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
      const bad = {
        name: "",
        description: 7,
        kind: "cruise",
        price: -1,
        currency: "XXX",
        duration_minutes: 0,
        capacity: 10_001,
        pickup_address: "x".repeat(501),
        active: "yes"
      }
      assert.deepStrictEqual(
        refusedAs(yield* send("POST", "/products", bad), 422, "invalid_request"),
        wrong({
          name: "required",
          description: "invalid",
          kind: "unknown_value",
          price: "out_of_range",
          currency: "unknown_value",
          duration_minutes: "out_of_range",
          capacity: "out_of_range",
          pickup_address: "too_long",
          active: "invalid"
        })
      )
      for (const [body, details] of [
        [{}, wrong({ name: "required", price: "required" })],
        [{ name: "Tour", price: 1.001 }, wrong({ price: "invalid" })],
        [{ name: "Tour", price: 1.5, currency: "JPY" }, wrong({ price: "invalid" })]
      ] as const)
        assert.deepStrictEqual(
          refusedAs(yield* send("POST", "/products", body), 422, "invalid_request"),
          details
        )
      assert.isEmpty(records(yield* send("GET", "/products")))
      refusedAs(yield* send("GET", "/products?active=maybe"), 422, "invalid_request")
      refusedAs(yield* send("GET", "/bookings?status=gone"), 422, "invalid_request")

      const { product_id } = record(yield* send("POST", "/products", { name: "Ride", price: 10 }))
      const idle = record(yield* send("POST", "/products", { ...excursion, active: false }))
      for (const [body, details] of [
        [{}, wrong({ product_id: "required", starts_at: "required", customer_name: "required" })],
        [
          {
            product_id: "x",
            starts_at: "soon",
            participants_count: 0,
            customer_email: "x",
            notes: 7
          },
          wrong({
            product_id: "invalid",
            starts_at: "invalid",
            participants_count: "out_of_range",
            customer_name: "required",
            customer_email: "invalid",
            notes: "invalid"
          })
        ],
        [
          { product_id, starts_at: "2026-11-20T09:30:00Z" },
          wrong({
            pickup_address: "required",
            dropoff_address: "required",
            starts_at: "out_of_range",
            customer_name: "required"
          })
        ],
        [
          { product_id: idle["product_id"], starts_at: at("10:00"), customer_name: "Ada" },
          wrong({ product_id: "not_found" })
        ],
        [
          { product_id: 999_999_999, starts_at: at("10:00"), customer_id: 999_999_999 },
          wrong({ product_id: "not_found", customer_id: "not_found" })
        ]
      ] as const)
        assert.deepStrictEqual(
          refusedAs(yield* send("POST", "/bookings", body), 422, "invalid_request"),
          details
        )
      assert.isEmpty(records(yield* send("GET", "/bookings")))
    })
  )

  it.effect("have a product whose currency is not cleared: null is required", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
      const made = record(yield* send("POST", "/products", { ...excursion, currency: "EUR", price: 100 }))
      const path = `/products/${String(made["product_id"])}`
      for (const field of ["currency", "kind"])
        assert.deepStrictEqual(
          refusedAs(yield* send("PATCH", path, { [field]: null }), 422, "invalid_request"),
          wrong({ [field]: "required" })
        )
      assert.deepInclude(record(yield* send("GET", path)), { currency: "EUR", price: 100 })
      assert.deepInclude(record(yield* send("PATCH", path, { currency: "CHF" })), { currency: "CHF" })
      const own = record(yield* send("POST", "/products", { ...excursion, currency: null }))
      assert.deepInclude(own, { currency: "USD" })
    })
  )

  it.effect("keep the price, the duration and the currency of the product as it was", () =>
    Effect.gen(function* () {
      const { customer, send } = yield* company(yield* openServer())
      const { customer_id } = yield* customer({ email: "ada@example.com", phone: "1" })
      const { product_id } = record(yield* send("POST", "/products", excursion))
      const made = record(
        yield* send("POST", "/bookings", {
          product_id,
          starts_at: at("10:00"),
          participants_count: 2,
          customer_id
        })
      )
      assert.deepInclude(made, {
        status: "pending",
        payment_status: "unpaid",
        total_amount: 90,
        customer_name: "Ada",
        customer_email: "ada@example.com",
        customer_phone: "1",
        ends_at: at("13:00"),
        expires_at: yield* later("24 hours"),
        allowed_transitions: ["confirmed", "cancelled"]
      })
      record(
        yield* send("PATCH", `/products/${String(product_id)}`, {
          price: 50,
          currency: "CHF",
          duration_minutes: 30,
          kind: "other"
        })
      )
      const path = `/bookings/${String(made["booking_id"])}`
      const soon = yield* later("2 hours")
      assert.deepInclude(record(yield* send("PATCH", path, { participants_count: 3 })), {
        total_amount: 135,
        currency: "USD",
        ends_at: at("13:00")
      })
      assert.deepInclude(record(yield* send("PATCH", path, { starts_at: soon })), {
        ends_at: yield* later("5 hours"),
        // A pending booking holds its places until its start at the latest.
        expires_at: soon
      })
      assert.deepStrictEqual(
        refusedAs(yield* send("PATCH", path, { participants_count: 9 }), 409, "conflict"),
        undefined
      )
      assert.deepStrictEqual(
        refusedAs(
          yield* send("PATCH", path, {
            starts_at: at("10:00"),
            customer_name: null,
            customer_id: 999_999_999
          }),
          422,
          "invalid_request"
        ),
        wrong({ customer_id: "not_found", customer_name: "required" })
      )
      assert.deepInclude(record(yield* send("GET", path)), { participants_count: 3, total_amount: 135 })
      // The message of a refused change says which fields can still change.
      record(yield* send("POST", `${path}/cancel`, { email: false }))
      const late = yield* send("PATCH", path, { starts_at: at("11:00") })
      assert.deepStrictEqual(refusedAs(late, 422, "invalid_request"), wrong({ starts_at: "invalid" }))
      assert.include(late.text, "The booking is cancelled: none of its fields can change")
    })
  )

  it.effect("whose total exceeds the largest amount are refused", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { send } = yield* company(server)
      const product = { ...excursion, capacity: null, price: 2_000_000, currency: "VND" }
      const { product_id } = record(yield* send("POST", "/products", product))
      const body = { product_id, starts_at: at("10:00"), customer_name: "Ada" }
      const { vendor_slug } = record(yield* send("GET", "/settings/business"))
      const visit = (more: object) =>
        server.send("POST", `/public/businesses/${String(vendor_slug)}/bookings`, {
          body: { ...body, ...more }
        })
      const most = { participants_count: 5000 }
      const tooMany = wrong({ participants_count: "out_of_range" })
      for (const participants_count of [5001, 10_000])
        for (const answer of [
          yield* send("POST", "/bookings", { ...body, participants_count }),
          yield* visit({ participants_count })
        ])
          assert.deepStrictEqual(refusedAs(answer, 422, "invalid_request"), tooMany)
      const { booking_id } = record(yield* send("POST", "/bookings", { ...body, ...most }))
      const path = `/bookings/${String(booking_id)}`
      assert.deepStrictEqual(
        refusedAs(yield* send("PATCH", path, { participants_count: 5001 }), 422, "invalid_request"),
        tooMany
      )
      assert.deepInclude(record(yield* send("POST", `${path}/confirm`)), {
        status: "confirmed",
        total_amount: 10_000_000_000
      })
      assert.deepInclude(record(yield* visit(most)), { status: "confirmed" })
    })
  )
})
