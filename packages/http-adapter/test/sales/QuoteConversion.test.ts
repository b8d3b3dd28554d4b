import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { wrong } from "../support/Fleet.ts"
import { booking } from "../support/Tenant.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"
import { ride, seller } from "./QuoteSeller.ts"

layer(Ports)("quotes that become trips", (it) => {
  it.effect(
    "that refer to a car without use are refused when they are converted, and no trip is booked",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { events, quote, send, step } = yield* seller(server)
        const { car_id } = record(yield* send("POST", "/cars", { name: "Van" }))
        const { quote_id } = yield* quote({ items: [ride, { ...ride, trip: { ...booking, car_id } }] })
        record(yield* send("PATCH", `/cars/${String(car_id)}`, { active: false }))
        const details = refusedAs(yield* step(quote_id, "convert"), 422, "invalid_request")
        assert.deepStrictEqual(details, wrong({ "items.1.trip.car_id": "not_found" }))
        assert.deepInclude(record(yield* send("GET", `/quotes/${String(quote_id)}`)), {
          status: "draft",
          trip_ids: []
        })
        assert.isEmpty(yield* events("trip.created"))
        assert.isEmpty(yield* events("quote.accepted"))
      })
  )

  it.effect("book each amount: that of an item without a trip is added to the trip before it", () =>
    Effect.gen(function* () {
      const { quote, send, step } = yield* seller(yield* openServer())
      const extra = (description: string, amount: number) => ({ description, amount })
      const second = { ...ride, amount: 10.1, trip: { ...booking, internal_notes: "Gate 2" } }
      const { quote_id } = yield* quote({
        items: [extra("Sign", 5), ride, extra("Meet and greet", 15), second, extra("Water", 20.2)]
      })
      const converted = record(yield* step(quote_id, "convert"))
      const trips = yield* Effect.forEach(converted["trip_ids"] as ReadonlyArray<number>, (id) =>
        Effect.map(send("GET", `/trips/${id}`), record)
      )
      const { reference } = converted
      assert.strictEqual(converted["total_amount"], 140.3)
      assert.deepStrictEqual(
        trips.map(({ internal_notes, total_amount }) => [total_amount, internal_notes]),
        [
          [
            110,
            `Sign: 5.00 USD (quote ${String(reference)})\nMeet and greet: 15.00 USD (quote ${String(reference)})`
          ],
          [30.3, `Gate 2\nWater: 20.20 USD (quote ${String(reference)})`]
        ]
      )
    })
  )

  it.effect("without any trip are neither sent, accepted nor converted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { answer, events, quote, send, sent, step } = yield* seller(yield* openServer())
      const items = [
        { description: "Advice", amount: 5 },
        { description: "Water", amount: 2 }
      ]
      const missing = wrong({ "items.0.trip": "required", "items.1.trip": "required" })
      const draft = yield* quote({ items })
      for (const name of ["send", "accept", "convert"]) {
        const refused = yield* step(draft["quote_id"], name)
        assert.deepStrictEqual(refusedAs(refused, 422, "invalid_request"), missing, name)
      }
      assert.deepInclude(record(yield* send("GET", `/quotes/${String(draft["quote_id"])}`)), {
        status: "draft",
        trip_ids: []
      })
      // A quote that an earlier version sent.
      const { quote_id, token } = yield* sent({ items: [ride, ride] })
      yield* sql`
        UPDATE quotes SET items = (
          SELECT jsonb_agg(item || '{"trip": null}') FROM jsonb_array_elements(items) AS all_items(item)
        ) WHERE quote_id = ${Number(quote_id)}`
      assert.deepStrictEqual(refusedAs(yield* answer(token, "accept"), 422, "invalid_request"), missing)
      assert.isEmpty(yield* events("quote.accepted"))
    })
  )
})
