import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { company, wrong } from "../support/Fleet.ts"
import { booking } from "../support/Tenant.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { ride, seller } from "./QuoteSeller.ts"

/** An item whose trip has these fields. */
const rideWith = (fields: object) => ({ ...ride, trip: { ...booking, ...fields } })

layer(PortsInMemory)("the trips of a quote", (it) => {
  it.effect("are refused for records that the business does not have, in a new quote and in a change", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { quote, send } = yield* seller(server)
      const other = yield* company(server)
      const { car_id } = record(yield* other.send("POST", "/cars", { name: "Van" }))
      const { trip_id } = record(yield* other.send("POST", "/trips", booking))
      const { customer_id } = record(yield* other.send("POST", "/customers", { name: "Ada" }))
      const items = [ride, rideWith({ car_id, linked_trip_id: trip_id }), rideWith({ customer_id })]
      const details = wrong({
        "items.1.trip.car_id": "not_found",
        "items.1.trip.linked_trip_id": "not_found",
        "items.2.trip.customer_id": "not_found"
      })
      const body = { customer_name: "Ada", items }
      assert.deepStrictEqual(refusedAs(yield* send("POST", "/quotes", body), 422, "invalid_request"), details)
      assert.deepStrictEqual(records(yield* send("GET", "/quotes")), [])
      const { quote_id } = yield* quote()
      const path = `/quotes/${String(quote_id)}`
      assert.deepStrictEqual(
        refusedAs(yield* send("PATCH", path, { items }), 422, "invalid_request"),
        details
      )
      assert.deepInclude(record(yield* send("GET", path)), { version: 1 })
      // All wrong fields of the quote are named at once.
      assert.deepStrictEqual(
        refusedAs(
          yield* send("POST", "/quotes", { customer_id, items: [rideWith({ car_id })] }),
          422,
          "invalid_request"
        ),
        wrong({ customer_id: "not_found", "items.0.trip.car_id": "not_found" })
      )
    })
  )

  it.effect("refer to the records of the business", () =>
    Effect.gen(function* () {
      const { quote, send, step } = yield* seller(yield* openServer())
      const { car_id } = record(yield* send("POST", "/cars", { name: "Van" }))
      const { trip_id } = record(yield* send("POST", "/trips", booking))
      const { customer_id } = record(yield* send("POST", "/customers", { name: "Ada" }))
      const { quote_id } = yield* quote({
        customer_id,
        items: [rideWith({ car_id, customer_id, linked_trip_id: trip_id })]
      })
      const { trip_ids } = record(yield* step(quote_id, "convert", { force: true }))
      assert.deepInclude(
        record(yield* send("GET", `/trips/${String((trip_ids as ReadonlyArray<number>)[0])}`)),
        {
          car_id,
          customer_id,
          linked_trip_id: trip_id
        }
      )
    })
  )

  it.effect("have amounts with the decimals of their currency", () =>
    Effect.gen(function* () {
      const { send } = yield* seller(yield* openServer())
      const items = [rideWith({ total_amount: 1.234 }), rideWith({ total_amount: 1.5, currency: "JPY" })]
      assert.deepStrictEqual(
        refusedAs(yield* send("POST", "/quotes", { customer_name: "Ada", items }), 422, "invalid_request"),
        wrong({ "items.0.trip.total_amount": "invalid", "items.1.trip.total_amount": "invalid" })
      )
    })
  )
})
