import { eventData } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { wrong } from "../support/Fleet.ts"
import { booking, tariff } from "../support/Tenant.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { ride, seller } from "./QuoteSeller.ts"

layer(PortsInMemory)("quotes", (it) => {
  it.effect("show a customer the pickup on the clock of its place, and the zone", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { sent } = yield* seller(server)
      const there = { trip_date: "2026-12-24T23:30:00Z", pickup_timezone: "Asia/Tokyo" }
      const items = [ride, { ...ride, trip: { ...ride.trip, ...there } }]
      const { token } = yield* sent({ items })
      const shown = record(yield* server.send("GET", `/public/quotes/${token}`))
      assert.deepStrictEqual(
        (shown["items"] as ReadonlyArray<Record<string, unknown>>).map((item) => [
          item["pickup_local"],
          item["pickup_timezone"]
        ]),
        [
          ["2026-12-24 18:00:00", "UTC"],
          ["2026-12-25 08:30:00", "Asia/Tokyo"]
        ]
      )
    })
  )

  it.effect(
    "keep their currency: null is required in a change, and on creation it is the business's own",
    () =>
      Effect.gen(function* () {
        const { quote, send } = yield* seller(yield* openServer())
        const { quote_id } = yield* quote({ currency: "EUR" })
        const path = `/quotes/${String(quote_id)}`
        assert.deepStrictEqual(
          refusedAs(yield* send("PATCH", path, { currency: null }), 422, "invalid_request"),
          wrong({ currency: "required" })
        )
        assert.deepInclude(record(yield* send("GET", path)), {
          currency: "EUR",
          total_amount: 90,
          version: 1
        })
        assert.deepInclude(record(yield* send("PATCH", path, { currency: "CHF" })), { currency: "CHF" })
        assert.deepInclude(yield* quote({ currency: null }), { currency: "USD" })
      })
  )

  it.effect("send an event with the documented data, also if the business accepts one without a price", () =>
    Effect.gen(function* () {
      const { events, quote, step } = yield* seller(yield* openServer())
      const { quote_id } = yield* quote({ items: [{ description: "Ride", trip: booking, amount: null }] })
      assert.deepInclude(record(yield* step(quote_id, "accept")), { status: "accepted", total_amount: null })
      const [event] = yield* events("quote.accepted")
      assert.isTrue(Schema.is(eventData["quote.accepted"].data)(event?.data))
      assert.deepInclude(event?.data, { status: "accepted", total_amount: null, trip_ids: [] })
    })
  )

  it.effect("keep the times of their trips if the business changes its time zone", () =>
    Effect.gen(function* () {
      const { events, quote, send, step } = yield* seller(yield* openServer())
      const inZone = (timezone: string) => send("PATCH", "/settings/business", { timezone })
      record(yield* inZone("Europe/Zurich"))
      const items = [{ description: "Ride", trip: { ...booking, trip_date: "2026-12-24T18:00" }, amount: 90 }]
      const made = yield* quote({ items })
      const path = `/quotes/${String(made["quote_id"])}`
      const trip_date = "2026-12-24T17:00:00Z"
      assert.nestedPropertyVal(made, "items[0].trip.trip_date", trip_date)
      // The same time again is no change of the offer.
      assert.deepInclude(record(yield* send("PATCH", path, { items })), { version: 1 })
      record(yield* inZone("America/New_York"))
      const { trip_ids } = record(yield* step(made["quote_id"], "convert"))
      const [id] = trip_ids as ReadonlyArray<number>
      assert.deepInclude(record(yield* send("GET", `/trips/${String(id)}`)), {
        trip_date,
        pickup_at: "2026-12-24 12:00:00"
      })
      const [event] = yield* events("quote.accepted")
      assert.nestedPropertyVal(event?.data, "items[0].trip.trip_date", trip_date)
    })
  )

  it.effect("go from a draft to the trips that the customer accepted", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { answer, customer, events, quote, send, step } = yield* seller(server)
      const { customer_id } = yield* customer({ email: "ada@example.com", phone: "1" })
      const items = [
        ride,
        { description: "Back", trip: { ...booking, trip_date: "2026-12-26T10:00:00Z" }, amount: 80.5 }
      ]
      const made = yield* quote({
        customer_id,
        customer_name: null,
        items,
        valid_until: "2026-12-01T00:00:00Z"
      })
      assert.deepInclude(made, {
        status: "draft",
        version: 1,
        customer_name: "Ada",
        customer_email: "ada@example.com",
        total_amount: 170.5,
        trip_ids: [],
        allowed_transitions: ["sent", "accepted", "rejected"]
      })
      const sent = record(yield* step(made["quote_id"], "send"))
      assert.strictEqual(sent["status"], "sent")
      assert.isTrue(String(sent["public_url"]).endsWith(String(sent["token"])))
      const shown = record(yield* server.send("GET", `/public/quotes/${String(sent["token"])}`))
      assert.deepInclude(shown, {
        status: "sent",
        total_amount: 170.5,
        allowed_transitions: ["accepted", "rejected"]
      })
      assert.notProperty(shown, "quote_id")
      assert.notInclude(JSON.stringify(shown), "ada@example.com")
      assert.deepInclude(record(yield* answer(String(sent["token"]), "accept")), { status: "accepted" })
      const path = `/quotes/${String(made["quote_id"])}`
      assert.deepInclude(record(yield* send("GET", path)), {
        status: "accepted",
        accepted_by: "Ada Lovelace",
        accepted_address: "192.0.2.7",
        accepted_at: "2026-11-20T09:30:00Z"
      })
      assert.lengthOf(yield* events("quote.accepted"), 1)
      const converted = record(yield* step(made["quote_id"], "convert"))
      const tripIds = converted["trip_ids"] as ReadonlyArray<number>
      assert.deepInclude(converted, { status: "converted", allowed_transitions: [] })
      assert.lengthOf(tripIds, 2)
      assert.lengthOf(yield* events("trip.created"), 2)
      const trip = record(yield* send("GET", `/trips/${tripIds[1]}`))
      assert.deepInclude(trip, { customer_id, total_amount: 80.5, status: "confirmed" })
      refusedAs(yield* step(made["quote_id"], "convert"), 409, "conflict")
      refusedAs(yield* send("DELETE", path), 409, "confirmation_required")
      record(yield* send("DELETE", path, { force: true }))
      refusedAs(yield* send("GET", path), 404, "not_found")
      record(yield* send("GET", `/trips/${tripIds[0]}`))
    })
  )

  it.effect("with wrong fields are refused, naming all of them, and nothing is stored", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { quote, send, step } = yield* seller(server)
      const bad = {
        customer_name: "x".repeat(201),
        customer_email: "x",
        currency: "XXX",
        valid_until: "soon",
        notes: 7,
        items: [{ trip: { ...booking, pickup_lat: 91, customer_name: "" }, amount: -1 }]
      }
      assert.sameDeepMembers(
        [...(refusedAs(yield* send("POST", "/quotes", bad), 422, "invalid_request") ?? [])],
        wrong({
          customer_name: "too_long",
          customer_email: "invalid",
          currency: "unknown_value",
          valid_until: "invalid",
          notes: "invalid",
          "items.0.description": "required",
          "items.0.trip.pickup_lat": "out_of_range",
          "items.0.trip.customer_name": "required",
          "items.0.amount": "out_of_range"
        })
      )
      for (const [body, details] of [
        [{ customer_name: "Ada" }, wrong({ items: "required" })],
        [{ customer_name: "Ada", items: [] }, wrong({ items: "required" })],
        [{ customer_name: "Ada", items: Array.from({ length: 51 }, () => 7) }, wrong({ items: "too_long" })],
        [{ items: [ride] }, wrong({ customer_name: "required" })],
        [
          { customer_name: "Ada", items: [{ ...ride, amount: 1.001 }] },
          wrong({ "items.0.amount": "invalid" })
        ],
        [{ customer_id: 999_999_999, items: [ride] }, wrong({ customer_id: "not_found" })]
      ] as const)
        assert.deepStrictEqual(
          refusedAs(yield* send("POST", "/quotes", body), 422, "invalid_request"),
          details
        )
      assert.isEmpty(records(yield* send("GET", "/quotes")))
      const { quote_id } = yield* quote({ items: [ride, { description: "Later" }] })
      const path = `/quotes/${String(quote_id)}`
      for (const [name, body, details] of [
        ["price", {}, wrong({ vehicle_class: "required" })],
        ["price", { vehicle_class: "sedan", amounts: [1, 2] }, wrong({ amounts: "invalid" })],
        ["price", { amounts: [1] }, wrong({ amounts: "invalid" })],
        ["price", { amounts: [1, 0.001] }, wrong({ "amounts.1": "invalid" })],
        ["price", { vehicle_class: "tank" }, wrong({ vehicle_class: "unknown_value" })],
        ["price", { vehicle_class: "sedan" }, wrong({ tariff_id: "required" })],
        ["send", {}, wrong({ "items.1.amount": "required" })],
        ["accept", { name: "x".repeat(201) }, wrong({ name: "too_long" })],
        ["reject", { reason: "x".repeat(501) }, wrong({ reason: "too_long" })]
      ] as const)
        assert.deepStrictEqual(
          refusedAs(yield* step(quote_id, name, body), 422, "invalid_request"),
          details,
          name
        )
      refusedAs(yield* send("PATCH", path, { nickname: 1 }), 422, "invalid_request")
      assert.deepInclude(record(yield* send("GET", path)), { status: "draft", version: 1 })
      refusedAs(yield* send("GET", "/quotes?status=gone"), 422, "invalid_request")
    })
  )

  it.effect("are priced by the fare engine, and keep the version of the tariff", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { quote, send, step } = yield* seller(server)
      const { tariff_id } = record(yield* send("POST", "/tariffs", tariff))
      const zurich = { pickup_lat: 47.3769, pickup_lng: 8.5417, dropoff_lat: 47.4502, dropoff_lng: 8.5618 }
      const { quote_id } = yield* quote({ items: [{ description: "Ride", trip: { ...booking, ...zurich } }] })
      const priced = record(yield* step(quote_id, "price", { vehicle_class: "sedan" }))
      assert.deepInclude(priced, { status: "draft", version: 2 })
      const [item] = priced["items"] as ReadonlyArray<Record<string, unknown>>
      assert.isAbove(Number(item?.["amount"]), 20)
      assert.strictEqual(priced["total_amount"], item?.["amount"])
      assert.nestedPropertyVal(item, "fare.fare.total_amount", item?.["amount"])
      assert.nestedPropertyVal(item, "fare.tariff_version", 1)
      yield* send("PATCH", `/tariffs/${String(tariff_id)}`, {
        classes: [{ vehicle_class: "sedan", distance: [{ base: 500 }] }]
      })
      const [kept] = record(yield* send("GET", `/quotes/${String(quote_id)}`))[
        "items"
      ] as ReadonlyArray<unknown>
      assert.deepStrictEqual(kept, item)
      const bus = yield* step(quote_id, "price", { vehicle_class: "bus" })
      assert.deepStrictEqual(refusedAs(bus, 422, "invalid_request"), wrong({ "items.0.trip": "invalid" }))
      assert.include(
        bus.text,
        "No fare in class bus (with a fare: sedan): the tariff has no prices for this class. Add the class to the tariff"
      )
      const yen = yield* quote({ currency: "JPY", items: [{ description: "Ride", trip: booking }] })
      assert.deepStrictEqual(
        refusedAs(yield* step(yen["quote_id"], "price", { vehicle_class: "sedan" }), 422, "invalid_request"),
        wrong({ tariff_id: "invalid" })
      )
      const manual = record(yield* step(yen["quote_id"], "price", { amounts: [900] }))
      assert.deepInclude(manual, { total_amount: 900, version: 2 })
    })
  )

  it.effect("keep a deleted customer, and their trips have none", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { customer, quote, send, step } = yield* seller(server)
      const { customer_id } = yield* customer()
      const { quote_id } = yield* quote({ customer_id })
      record(yield* send("DELETE", `/customers/${String(customer_id)}`))
      const converted = record(yield* step(quote_id, "convert"))
      const [tripId] = converted["trip_ids"] as ReadonlyArray<number>
      assert.deepInclude(record(yield* send("GET", `/trips/${tripId}`)), {
        customer_id: null,
        customer_name: "Ada"
      })
    })
  )

  it.effect("without any field are refused, naming each one that is required", () =>
    Effect.gen(function* () {
      const { send } = yield* seller(yield* openServer())
      const details = refusedAs(yield* send("POST", "/quotes", {}), 422, "invalid_request")
      assert.deepStrictEqual(details, [
        { field: "customer_name", issue: "required" },
        { field: "items", issue: "required" }
      ])
    })
  )
})
