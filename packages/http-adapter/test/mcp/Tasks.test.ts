import { listOf, objectOf, textOf } from "@livery/contract"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { business } from "../support/People.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { openServer, record } from "../support/TestServer.ts"
import { mcpCaller } from "./McpCaller.ts"

layer(PortsInMemory)("twenty tasks of a dispatcher and an office", (it) => {
  it.effect("are done by the tools, each with the right answer", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const { call, confirm } = mcpCaller(server, key)
      const post = (path: string, body: object) =>
        Effect.map(server.send("POST", path, { credential: key, body }), record)
      const found = (name: string, args: object = {}) =>
        Effect.map(call(name, args), ({ data, isError }) => {
          assert.isFalse(isError, `${name}: ${JSON.stringify(data)}`)
          return listOf(data["records"]).map(objectOf)
        })
      const start = DateTime.add(yield* DateTime.now, { hours: 3 })
      const date = DateTime.formatIsoDateUtc(start)
      const time = DateTime.formatIso(start)
      const window = { from: time, to: DateTime.formatIso(DateTime.add(start, { hours: 1 })) }
      const joan = yield* post("/drivers", { name: "Joan Clarke" })
      const grace = yield* post("/drivers", { name: "Grace Hopper" })
      yield* post("/tariffs", {
        name: "City",
        currency: "USD",
        classes: [{ vehicle_class: "van", distance: [{ base: 60 }] }]
      })
      const { endpoint_id } = yield* post("/webhooks", {
        url: "https://example.com/hooks",
        events: ["trip.created"]
      })
      const names = (drivers: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
        drivers.map(({ name }) => textOf(name)).sort()

      // 1. Add Ada Lovelace to our customers.
      const ada = { name: "Ada Lovelace", email: "ada@example.com" }
      const { record: customer } = yield* confirm("add_customer", ada)
      const { customer_id } = customer
      // 2. What is her email?
      assert.strictEqual((yield* found("find_customers", { search: "ada" }))[0]?.["email"], ada.email)
      // 3. Book her a ride from the airport to the Grand Hotel.
      const ride = { pickup_address: "Airport", dropoff_address: "Grand Hotel", trip_date: time }
      const { record: trip } = yield* confirm("book_trip", { ...ride, customer_id })
      const id = trip["trip_id"]
      assert.strictEqual(trip["customer_name"], "Ada Lovelace")
      // 4. Which rides does she have?
      const rides = yield* found("customer_trips", { id: customer_id })
      assert.deepStrictEqual(
        rides.map(({ trip_id }) => trip_id),
        [id]
      )
      // 5. Who is free at that time?
      assert.deepStrictEqual(names(yield* found("free_drivers", window)), ["Grace Hopper", "Joan Clarke"])
      // 6. Give the ride to Joan.
      yield* confirm("assign_drivers", { id, driver_ids: [joan["driver_id"]] })
      const read = objectOf((yield* call("read_trip", { id })).data["record"])
      assert.deepStrictEqual(read["driver_ids"], [joan["driver_id"]])
      // 7. Who is free now?
      assert.deepStrictEqual(names(yield* found("free_drivers", window)), ["Grace Hopper"])
      // 8. When is Joan busy that day?
      const times = yield* call("driver_times", { id: joan["driver_id"], date_from: date, date_to: date })
      assert.include(JSON.stringify(times.data), `"trip_id":${String(id)}`)
      // 9. Book a second ride at that time, and ask whether Joan can drive it: a warning, and nothing is changed.
      const { record: second } = yield* confirm("book_trip", { ...ride, customer_name: "Mary Somerville" })
      const both = { id: second["trip_id"], driver_ids: [joan["driver_id"]] }
      const { data: preview } = yield* call("assign_drivers", both)
      assert.lengthOf(listOf(preview["warnings"]), 1)
      assert.deepStrictEqual(
        objectOf((yield* call("read_trip", { id: second["trip_id"] })).data["record"])["driver_ids"],
        []
      )
      // 10. Then Grace drives it.
      yield* confirm("assign_drivers", { id: second["trip_id"], driver_ids: [grace["driver_id"]] })
      // 11. What is on the board of that day?
      assert.sameMembers(
        (yield* found("day_board", { date })).map(({ trip_id }) => trip_id),
        [id, second["trip_id"]]
      )
      // 12. Ada pays 90.
      yield* confirm("change_trip", { id, total_amount: 90 })
      // 13. Who changed the ride last?
      const latest = (yield* found("trip_history", { id })).at(-1)
      assert.match(JSON.stringify(latest), /"total_amount".*90/u)
      // 14. What would a van cost for 12 km?
      const estimate = yield* call("estimate_fare", {
        trip_date: time,
        distance_m: 12_000,
        duration_minutes: 25
      })
      const [fare] = listOf(objectOf(estimate.data["record"])["fares"]).map(objectOf)
      assert.deepStrictEqual([fare?.["vehicle_class"], fare?.["total_amount"]], ["van", 60])
      // 15. Offer Ada a day in the mountains for 300; she gets the link on paper, without an email.
      const day = { ...ride, customer_name: "Ada Lovelace" }
      const { record: quote } = yield* confirm("draft_quote", {
        customer_id,
        items: [{ description: "A day in the mountains", amount: 300, trip: day }]
      })
      const { record: sent } = yield* confirm("send_quote", { id: quote["quote_id"], email: false })
      assert.deepStrictEqual([quote["total_amount"], sent["status"]], [300, "sent"])
      // 16. Invoice her ride.
      const { record: invoice } = yield* confirm("create_invoice", { customer_id, trip_ids: [id] })
      assert.strictEqual(invoice["total_amount"], 90)
      // 17. What is unpaid?
      const unpaid = Effect.map(found("unpaid_invoices"), (all) => all.map(({ invoice_id }) => invoice_id))
      assert.deepStrictEqual(yield* unpaid, [invoice["invoice_id"]])
      // 18. She has paid in cash: then nothing is unpaid.
      yield* confirm("record_payment", { id: invoice["invoice_id"], amount: 90, method: "cash" })
      assert.deepStrictEqual(yield* unpaid, [])
      // 19. Why did our system not hear of the bookings?
      const deliveries = yield* found("explain_deliveries", { id: endpoint_id })
      assert.deepStrictEqual(
        deliveries.map(({ event_type, status }) => [event_type, status]),
        [
          ["trip.created", "pending"],
          ["trip.created", "pending"]
        ]
      )
      // 20. Which drivers are late?
      assert.lengthOf(yield* found("late_trips", { date }), 0)
      yield* TestClock.adjust("4 hours")
      assert.sameMembers(
        (yield* found("late_trips", { date })).map(({ trip_id }) => trip_id),
        [id, second["trip_id"]]
      )
    })
  )
})
