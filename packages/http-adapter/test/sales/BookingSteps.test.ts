import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { company, wrong } from "../support/Fleet.ts"
import { excursion, tariff } from "../support/Tenant.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"

const addresses = { pickup_address: "Here", dropoff_address: "There" }

const at = (time: string) => `2026-12-24T${time}:00Z`

layer(Ports, { timeout: 60_000 })("bookings", (it) => {
  it.effect("become trips when they are confirmed, and give their places back when they are cancelled", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
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

  it.effect("whose trip is under way are cancelled once it is confirmed with force", () =>
    Effect.gen(function* () {
      const { driver, send } = yield* company(yield* openServer())
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
        cancel_reason: "operator"
      })

      // A trip that was cancelled, completed or deleted before does not keep its booking from being cancelled.
      for (const end of [{ status: "cancelled" }, { status: "completed" }, null]) {
        const made = yield* confirmed
        yield* end === null ? send("DELETE", made.trip) : send("PATCH", made.trip, end)
        assert.deepInclude(record(yield* send("POST", `${made.path}/cancel`)), { status: "cancelled" })
      }
    })
  )

  it.effect("accept the steps that their status permits over HTTP, and no others", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
      const { product_id } = record(yield* send("POST", "/products", { ...excursion, capacity: null }))
      const steps = {
        confirm: (path: string) => send("POST", `${path}/confirm`),
        cancel: (path: string) => send("POST", `${path}/cancel`),
        complete: (path: string) => send("PATCH", path, { status: "completed" }),
        wait: () => Effect.as(TestClock.adjust("1 day"), undefined)
      } as const
      type Name = keyof typeof steps
      const stepsTo: Readonly<Record<string, ReadonlyArray<Name>>> = {
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
      for (const [status, names] of Object.entries(stepsTo))
        for (const step of ["confirm", "cancel", "complete"] as const) {
          const made = record(
            yield* send("POST", "/bookings", { product_id, starts_at: at("10:00"), customer_name: "Ada" })
          )
          const path = `/bookings/${String(made["booking_id"])}`
          for (const name of names) yield* steps[name](path)
          assert.deepInclude(record(yield* send("GET", path)), { status, payment_status: "unpaid" })
          const answer = yield* steps[step](path)
          const to = legal[status]?.[step]
          if (to === undefined)
            assert.deepStrictEqual(refusedAs(answer, 422, "invalid_request"), [
              { field: "status", issue: "illegal_transition" }
            ])
          else assert.deepInclude(record(answer), { status: to })
          assert.deepInclude(record(yield* send("GET", path)), { status: to ?? status })
          // A request cannot set other states.
          if (status === "pending" && to !== undefined) continue
          refusedAs(yield* send("PATCH", path, { status: "expired" }), 422, "invalid_request")
        }
    })
  )

  it.effect("that have expired give their places back, also when they are deleted", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
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

  it.effect("of a product that was deleted or lost its address are not confirmed", () =>
    Effect.gen(function* () {
      const { customer, send } = yield* company(yield* openServer())
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

      // The trip of a deleted customer has no customer.
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

  it.effect("that are confirmed and cancelled concurrently have one final status, and at most one trip", () =>
    Effect.gen(function* () {
      const { businessId, send } = yield* company(yield* openServer())
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

  it.effect(
    "that the business cancels cost the customer no cancellation fee, unless it names a reason that does",
    () =>
      Effect.gen(function* () {
        const { send } = yield* company(yield* openServer())
        record(
          yield* send("POST", "/tariffs", {
            ...tariff,
            modifiers: { late_cancellation: [{ steps: [{ within_days: 366, percent: 50 }] }] }
          })
        )
        const { product_id } = record(yield* send("POST", "/products", { ...excursion, capacity: null }))
        const cancelled = Effect.fnUntraced(function* (body: object) {
          const booking = { product_id, starts_at: at("10:00"), customer_name: "Ada" }
          const { booking_id } = record(yield* send("POST", "/bookings", booking))
          const path = `/bookings/${String(booking_id)}`
          const { trip_id } = record(yield* send("POST", `${path}/confirm`))
          const trip = `/trips/${String(trip_id)}`
          record(yield* send("PATCH", trip, { distance_m: 10_000, trip_type: "transfer" }))
          record(yield* send("POST", `${trip}/fare`, { vehicle_class: "sedan" }))
          record(yield* send("POST", `${path}/cancel`, body))
          const { cancel_reason, cancellation_fee } = record(yield* send("GET", trip))
          return [cancel_reason, cancellation_fee]
        })
        assert.deepStrictEqual(yield* cancelled({}), ["operator", null])
        assert.deepStrictEqual(yield* cancelled({ cancel_reason: "no_driver" }), ["no_driver", null])
        assert.deepStrictEqual(yield* cancelled({ cancel_reason: "customer_request" }), [
          "customer_request",
          22.5
        ])
        assert.deepStrictEqual(
          refusedAs(
            yield* send("POST", "/bookings/1/cancel", { cancel_reason: "rain" }),
            422,
            "invalid_request"
          ),
          wrong({ cancel_reason: "unknown_value" })
        )
      })
  )
})
