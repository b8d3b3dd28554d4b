import { assert, layer } from "@effect/vitest"
import { DateTime, type Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { company, wrong } from "../support/Fleet.ts"
import { excursion } from "../support/Tenant.ts"
import { Ports } from "../support/TestPorts.ts"
import { openWire, record, records, refusedAs } from "../support/Wire.ts"

const addresses = { pickup_address: "Here", dropoff_address: "There" }
const at = (time: string) => `2026-12-24T${time}:00Z`
/** The instant after that time, by the test's clock. */
const later = (time: Duration.Input) =>
  Effect.map(DateTime.now, (now) => DateTime.formatIso(DateTime.addDuration(now, time)).replace(".000Z", "Z"))

layer(Ports, { timeout: 60_000 })("bookings", (it) => {
  it.effect("of 100 concurrent ones for the last 3 places, 3 succeed", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openWire())
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

  it.effect("become trips when they are confirmed, and give their places back when they are cancelled", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openWire())
      const product = { name: "Transfer", price: 90, capacity: 1, ...addresses }
      const { product_id } = record(yield* send("POST", "/products", product))
      const body = { product_id, starts_at: at("10:00"), customer_name: "Ada" }
      const { booking_id } = record(yield* send("POST", "/bookings", body))
      const path = `/bookings/${String(booking_id)}`
      const confirmed = record(yield* send("POST", `${path}/confirm`))
      assert.deepInclude(confirmed, { status: "confirmed", expires_at: null })
      const trip = record(yield* send("GET", `/trips/${String(confirmed["trip_id"])}`))
      assert.deepInclude(trip, {
        status: "confirmed",
        total_amount: 90,
        duration_minutes: 60,
        trip_date: at("10:00")
      })
      refusedAs(yield* send("POST", `${path}/confirm`), 422, "invalid_request")
      refusedAs(yield* send("DELETE", path), 409, "confirmation_required")
      refusedAs(yield* send("POST", "/bookings", body), 409, "conflict")
      assert.deepInclude(record(yield* send("POST", `${path}/cancel`)), { status: "cancelled" })
      const cancelled = record(yield* send("GET", `/trips/${String(confirmed["trip_id"])}`))
      assert.strictEqual(cancelled["status"], "cancelled")
      record(yield* send("POST", "/bookings", body))
    })
  )

  it.effect("with wrong fields are refused, naming all of them, and nothing is stored", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openWire())
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
        [{}, wrong({ product_id: "required", starts_at: "required" })],
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

  it.effect("keep the price, the duration and the currency of the product as it was", () =>
    Effect.gen(function* () {
      const { customer, send } = yield* company(yield* openWire())
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
    })
  )

  it.effect("whose trip is under way are cancelled once it is confirmed with force", () =>
    Effect.gen(function* () {
      const { driver, send } = yield* company(yield* openWire())
      const { product_id } = record(yield* send("POST", "/products", excursion))
      const confirmed = Effect.gen(function* () {
        const body = { product_id, starts_at: at("10:00"), customer_name: "Ada" }
        const { booking_id } = record(yield* send("POST", "/bookings", body))
        const path = `/bookings/${String(booking_id)}`
        const { trip_id } = record(yield* send("POST", `${path}/confirm`))
        return { path, trip: `/trips/${String(trip_id)}`, trip_id }
      })
      const { path, trip, trip_id } = yield* confirmed
      const { driver_id } = yield* driver()
      yield* send("POST", `${trip}/drivers`, { driver_ids: [driver_id] })
      record(yield* send("PATCH", `${trip}/driver-status`, { status: "en_route" }))
      assert.deepStrictEqual(refusedAs(yield* send("POST", `${path}/cancel`), 409, "confirmation_required"), [
        { type: "trip", trip_id }
      ])
      assert.deepInclude(record(yield* send("GET", path)), { status: "confirmed" })
      assert.deepInclude(record(yield* send("GET", trip)), { status: "in_progress" })
      record(yield* send("POST", `${path}/cancel`, { force: true }))
      assert.deepInclude(record(yield* send("GET", trip)), {
        status: "cancelled",
        cancel_reason: "customer_request"
      })

      // A trip that was cancelled, completed or deleted before does not keep its booking from being cancelled.
      for (const end of [{ status: "cancelled" }, { status: "completed" }, null]) {
        const made = yield* confirmed
        yield* end === null ? send("DELETE", made.trip) : send("PATCH", made.trip, end)
        assert.deepInclude(record(yield* send("POST", `${made.path}/cancel`)), { status: "cancelled" })
      }
    })
  )

  it.effect("take the steps that their status permits over HTTP too, and no others", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openWire())
      const { product_id } = record(yield* send("POST", "/products", { ...excursion, capacity: null }))
      const steps = {
        confirm: (path: string) => send("POST", `${path}/confirm`),
        cancel: (path: string) => send("POST", `${path}/cancel`),
        complete: (path: string) => send("PATCH", path, { status: "completed" }),
        wait: () => Effect.as(TestClock.adjust("1 day"), undefined)
      } as const
      type Name = keyof typeof steps
      const ways: Readonly<Record<string, ReadonlyArray<Name>>> = {
        pending: [],
        confirmed: ["confirm"],
        completed: ["confirm", "complete"],
        cancelled: ["cancel"],
        expired: ["wait"]
      }
      const legal: Readonly<Record<string, Readonly<Partial<Record<Name, string>>>>> = {
        pending: { confirm: "confirmed", cancel: "cancelled" },
        confirmed: { cancel: "cancelled", complete: "completed" }
      }
      for (const [status, way] of Object.entries(ways))
        for (const step of ["confirm", "cancel", "complete"] as const) {
          const made = record(
            yield* send("POST", "/bookings", { product_id, starts_at: at("10:00"), customer_name: "Ada" })
          )
          const path = `/bookings/${String(made["booking_id"])}`
          for (const name of way) yield* steps[name](path)
          assert.deepInclude(record(yield* send("GET", path)), { status, payment_status: "unpaid" })
          const answer = yield* steps[step](path)
          const to = legal[status]?.[step]
          if (to === undefined)
            assert.deepStrictEqual(refusedAs(answer, 422, "invalid_request"), [
              { field: "status", issue: "illegal_transition" }
            ])
          else assert.deepInclude(record(answer), { status: to })
          assert.deepInclude(record(yield* send("GET", path)), { status: to ?? status })
          // Other states are no values to be set.
          if (status === "pending" && to !== undefined) continue
          refusedAs(yield* send("PATCH", path, { status: "expired" }), 422, "invalid_request")
        }
    })
  )

  it.effect("that have expired give their places back, also when they are deleted", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openWire())
      const { product_id } = record(yield* send("POST", "/products", excursion))
      const body = { product_id, starts_at: at("10:00"), participants_count: 8, customer_name: "Ada" }
      for (const isDeleted of [true, false]) {
        const made = record(yield* send("POST", "/bookings", body))
        const path = `/bookings/${String(made["booking_id"])}`
        refusedAs(yield* send("POST", "/bookings", body), 409, "conflict")
        yield* TestClock.adjust("1 day")
        const read = yield* send("GET", path)
        assert.deepInclude(record(read), { status: "expired", expires_at: null, allowed_transitions: [] })
        assert.lengthOf(records(yield* send("GET", "/bookings?status=expired")), 1)
        refusedAs(yield* send("PATCH", path, { notes: "Late" }), 422, "invalid_request")
        const etag = { "if-match": read.headers.get("etag") ?? "" }
        if (isDeleted) record(yield* send("DELETE", path, undefined, etag))
        else record(yield* send("POST", "/bookings", body))
      }
    })
  )

  it.effect("of a product that was deleted or that lacks an address by now are not confirmed", () =>
    Effect.gen(function* () {
      const { customer, send } = yield* company(yield* openWire())
      const { customer_id } = yield* customer()
      const { product_id } = record(yield* send("POST", "/products", excursion))
      const product = `/products/${String(product_id)}`
      const made = record(
        yield* send("POST", "/bookings", { product_id, starts_at: at("10:00"), customer_id })
      )
      const path = `/bookings/${String(made["booking_id"])}`
      record(yield* send("PATCH", product, { dropoff_address: null }))
      assert.deepStrictEqual(
        refusedAs(yield* send("POST", `${path}/confirm`), 422, "invalid_request"),
        wrong({ dropoff_address: "required" })
      )
      assert.deepInclude(record(yield* send("GET", path)), { status: "pending", trip_id: null })
      record(yield* send("PATCH", path, { dropoff_address: "Harbour" }))
      assert.deepStrictEqual(refusedAs(yield* send("DELETE", product), 409, "confirmation_required"), [
        { booking_id: made["booking_id"] }
      ])
      record(yield* send("DELETE", product, { force: true }))
      refusedAs(yield* send("GET", product), 404, "not_found")
      refusedAs(yield* send("POST", `${path}/confirm`), 409, "conflict")
      refusedAs(yield* send("PATCH", path, { participants_count: 2 }), 409, "conflict")
      record(yield* send("POST", `${path}/cancel`))

      // The trip of a customer who was deleted does without.
      const other = record(yield* send("POST", "/products", excursion))
      const late = record(
        yield* send("POST", "/bookings", {
          product_id: other["product_id"],
          starts_at: at("10:00"),
          customer_id
        })
      )
      record(yield* send("DELETE", `/customers/${String(customer_id)}`))
      const { trip_id } = record(yield* send("POST", `/bookings/${String(late["booking_id"])}/confirm`))
      assert.deepInclude(record(yield* send("GET", `/trips/${String(trip_id)}`)), {
        customer_id: null,
        customer_name: "Ada"
      })
    })
  )

  it.effect("that are confirmed and cancelled at once end with one answer, and at most one trip", () =>
    Effect.gen(function* () {
      const { businessId, send } = yield* company(yield* openWire())
      const sql = yield* SqlClient.SqlClient
      const { product_id } = record(yield* send("POST", "/products", { ...excursion, capacity: null }))
      let confirmed = 0
      for (let round = 0; round < 6; round++) {
        const made = record(
          yield* send("POST", "/bookings", { product_id, starts_at: at("10:00"), customer_name: "Ada" })
        )
        const path = `/bookings/${String(made["booking_id"])}`
        const answers = yield* Effect.all(
          [
            send("POST", `${path}/confirm`),
            send("POST", `${path}/confirm`),
            send("POST", `${path}/cancel`),
            send("POST", `${path}/confirm`)
          ],
          { concurrency: "unbounded" }
        )
        for (const { status } of answers) assert.include([200, 422], status)
        const [one, two, , three] = answers
        const won = [one, two, three].filter(({ status }) => status === 200).length
        assert.isAtMost(won, 1)
        confirmed += won
        // Also a confirmed booking can be cancelled.
        assert.deepInclude(record(yield* send("GET", path)), { status: "cancelled" })
      }
      const [{ created } = { created: -1 }] = yield* sql<{ created: number }>`
        SELECT count(*)::int AS created FROM events WHERE business_id = ${businessId} AND event_type = 'trip.created'`
      assert.strictEqual(created, confirmed)
    })
  )
})
