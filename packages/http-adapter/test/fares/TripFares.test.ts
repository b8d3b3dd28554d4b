import { BusinessId, ComputedFare, FareEstimates, TariffId } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { wrong } from "../support/Fleet.ts"
import { booking } from "../support/Tenant.ts"
import { type CommonPorts, PortsInMemory } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { carrier, linesOf, ride, tariff } from "./Carrier.ts"

layer(PortsInMemory)("the fare of a trip", (it) => {
  it.effect("is the quoted one until the trip ends, and then has the waiting from its milestones", () =>
    Effect.gen(function* () {
      const { fare, read, report, sold, waited } = yield* carrier(yield* openServer())
      const { path } = yield* sold()
      assert.deepInclude(yield* read(path), { total_amount: 45, vehicle_class: "sedan" })
      const quoted = yield* fare(path)
      assert.deepInclude(quoted, { currency: "USD", tariff_version: 1, final: null, overridden: false })
      assert.nestedPropertyVal(quoted, "quoted.fare.total_amount", 45)
      yield* waited(path, 35, "passenger_on_board")
      assert.deepInclude(yield* fare(path), { final: null })
      assert.deepInclude(yield* report(path, { status: "completed" }), { total_amount: 55 })
      const settled = yield* fare(path)
      assert.deepInclude(settled, { quoted: quoted["quoted"], overridden: false })
      assert.deepStrictEqual(linesOf(settled["final"]), [
        ["base", 20],
        ["base", 25],
        ["waiting", 10]
      ])
      assert.nestedPropertyVal(settled, "final.inputs.waiting_minutes", 35)
    })
  )

  it.effect("is charged beside the items of the quote that have no trip", () =>
    Effect.gen(function* () {
      const { fare, read, report, send, sold, waited } = yield* carrier(yield* openServer())
      const extras = [{ description: "Meet and greet", amount: 15 }]
      const { path } = yield* sold({}, extras)
      assert.deepInclude(yield* read(path), { total_amount: 60 })
      const quoted = yield* fare(path)
      assert.deepInclude(quoted, { overridden: false })
      assert.nestedPropertyVal(quoted, "quoted.fare.total_amount", 45)
      assert.nestedPropertyVal(quoted, "quoted.extra_amount", 15)
      yield* waited(path, 35, "passenger_on_board")
      assert.deepInclude(yield* report(path, { status: "completed" }), { total_amount: 70 })
      assert.deepInclude(yield* fare(path), { overridden: false })
      record(yield* send("POST", `${path}/reopen`, { reason: "A mistake" }))
      assert.deepInclude(yield* read(path), { total_amount: 60 })
      const { path: missed } = yield* sold({}, extras)
      record(yield* send("PATCH", missed, { status: "cancelled", cancel_reason: "no_show" }))
      assert.deepInclude(yield* read(missed), { total_amount: 60, cancellation_fee: 36 })
    })
  )

  it.effect(
    "stays as quoted for an hourly trip that lasts longer than every package without a price by the hour",
    () =>
      Effect.gen(function* () {
        const { driver_id, fare, report, send } = yield* carrier(yield* openServer())
        const hours = [
          {
            packages: [
              { minutes: 120, amount: 100 },
              { minutes: 240, amount: 180 }
            ]
          }
        ]
        const { tariff_id } = record(
          yield* send("POST", "/tariffs", { ...tariff, classes: [{ vehicle_class: "sedan", hours }] })
        )
        for (const [minutes, total_amount] of [
          [240, 180],
          [241, 100]
        ] as const) {
          const hourly = { ...booking, trip_type: "hourly", duration_minutes: 60 }
          const path = `/trips/${String(record(yield* send("POST", "/trips", hourly))["trip_id"])}`
          record(yield* send("POST", `${path}/fare`, { vehicle_class: "sedan", tariff_id }))
          record(yield* send("POST", `${path}/drivers`, { driver_ids: [driver_id], force: true }))
          yield* TestClock.setTime(Date.parse(booking.trip_date) + minutes * 60_000)
          assert.deepInclude(yield* report(path, { status: "completed" }), { total_amount })
          const { final } = yield* fare(path)
          assert.strictEqual(final === null, minutes === 241)
        }
      })
  )

  it.effect("has as many free minutes of waiting as its kind of arrival", () =>
    Effect.gen(function* () {
      const { read, report, sold, waited } = yield* carrier(yield* openServer())
      const { path } = yield* sold({ trip_type: "airport_arrival" })
      yield* waited(path, 70, "passenger_on_board")
      yield* report(path, { status: "completed" })
      assert.deepInclude(yield* read(path), { total_amount: 50 })
    })
  )

  it.effect("charges a no-show as the fee of the cancelled trip, and the waiting for it", () =>
    Effect.gen(function* () {
      const { fare, read, send, sold, waited } = yield* carrier(yield* openServer())
      const { path } = yield* sold()
      yield* waited(path, 30, "no_show")
      record(yield* send("PATCH", path, { status: "cancelled", cancel_reason: "no_show" }))
      assert.deepInclude(yield* read(path), { total_amount: 45, cancellation_fee: 43.5 })
      assert.deepStrictEqual(linesOf((yield* fare(path))["final"]), [
        ["waiting", 7.5],
        ["no_show", 36]
      ])
    })
  )

  it.effect("is charged on the invoice, and in the trip's timeline", () =>
    Effect.gen(function* () {
      const { customer, report, send, sold, waited } = yield* carrier(yield* openServer())
      const { customer_id } = yield* customer()
      const { path } = yield* sold({ customer_id })
      yield* waited(path, 35, "passenger_on_board")
      yield* report(path, { status: "completed" })
      const invoice = record(
        yield* send("POST", `/customers/${String(customer_id)}/invoices`, { month: "2026-12" })
      )
      assert.deepInclude(invoice, { total_amount: 55 })
      const timeline = records(yield* send("GET", `${path}/timeline`))
      const after = timeline.map((entry) => entry["after"] as Record<string, unknown> | null)
      assert.isTrue(after.some((change) => change?.["total_amount"] === 55))
    })
  )

  it.effect("does not replace a price or a fee that was set by hand", () =>
    Effect.gen(function* () {
      const { fare, read, report, send, sold, waited } = yield* carrier(yield* openServer())
      const { path } = yield* sold()
      record(yield* send("PATCH", path, { total_amount: 40 }))
      yield* waited(path, 35, "passenger_on_board")
      yield* report(path, { status: "completed" })
      assert.deepInclude(yield* read(path), { total_amount: 40 })
      assert.deepInclude(yield* fare(path), { overridden: true, final: null })
      const { path: other } = yield* sold()
      const cancellation = { status: "cancelled", cancel_reason: "no_show", cancellation_fee: 5 }
      record(yield* send("PATCH", other, cancellation))
      assert.deepInclude(yield* read(other), { cancellation_fee: 5 })
    })
  )

  it.effect("is the quoted one again when the trip is reopened", () =>
    Effect.gen(function* () {
      const { fare, read, report, send, sold, waited } = yield* carrier(yield* openServer())
      const { path } = yield* sold()
      yield* waited(path, 35, "passenger_on_board")
      yield* report(path, { status: "completed" })
      record(yield* send("POST", `${path}/reopen`, { reason: "Not there yet" }))
      assert.deepInclude(yield* read(path), { total_amount: 45 })
      assert.deepInclude(yield* fare(path), { final: null, overridden: false })
    })
  )

  it.effect("is not that of a copy: it costs what the trip was quoted, without the waiting", () =>
    Effect.gen(function* () {
      const { read, report, send, sold, waited } = yield* carrier(yield* openServer())
      const { path } = yield* sold({}, [{ description: "Meet and greet", amount: 7 }])
      const copyOf = (original: string, body?: object) =>
        Effect.map(send("POST", `${original}/duplicate`, body), record)
      assert.deepInclude(yield* copyOf(path), { total_amount: 52 })
      yield* waited(path, 35, "passenger_on_board")
      assert.deepInclude(yield* report(path, { status: "completed" }), { total_amount: 62 })
      const copy = yield* copyOf(path)
      assert.deepInclude(copy, { status: "confirmed", total_amount: 52 })
      refusedAs(yield* send("GET", `/trips/${String(copy["trip_id"])}/fare`), 404, "not_found")
      assert.deepInclude(yield* copyOf(path, { total_amount: 48 }), { total_amount: 48 })
      assert.deepInclude(yield* copyOf(path, { total_amount: null }), { total_amount: null })
      // A price that was set by hand after the end is the one of the copy too.
      record(yield* send("PATCH", path, { total_amount: 60 }))
      assert.deepInclude(yield* copyOf(path), { total_amount: 60 })
      assert.deepInclude(yield* read(path), { total_amount: 60 })
    })
  )

  it.effect("contains the tolls at cost and the agreed waiting, which may be entered after the end", () =>
    Effect.gen(function* () {
      const { fare, read, report, send, sold, waited } = yield* carrier(yield* openServer())
      const { path } = yield* sold({ tolls_amount: 2, waiting_minutes: 25 })
      assert.deepInclude(yield* read(path), { total_amount: 52, tolls_amount: 2, waiting_minutes: 25 })
      yield* waited(path, 35, "passenger_on_board")
      record(yield* send("PATCH", path, { tolls_amount: 3.5 }))
      assert.deepInclude(yield* read(path), { total_amount: 52 })
      assert.deepInclude(yield* report(path, { status: "completed" }), { total_amount: 58.5 })
      const after = record(yield* send("PATCH", path, { tolls_amount: 6.25, waiting_minutes: 45 }))
      assert.deepInclude(after, { total_amount: 66.25, warnings: [] })
      assert.nestedPropertyVal(yield* fare(path), "final.inputs.tolls_minor", 625)
      assert.deepInclude(yield* fare(path), { overridden: false })
      const copy = record(yield* send("POST", `${path}/duplicate`))
      assert.deepInclude(copy, { total_amount: 52, tolls_amount: 2, waiting_minutes: 25 })
      // A price that was set by hand stays, and so does the price on an invoice.
      record(yield* send("PATCH", path, { total_amount: 60 }))
      assert.deepInclude(record(yield* send("PATCH", path, { tolls_amount: 9 })), { total_amount: 60 })
      const { path: missed } = yield* sold()
      yield* waited(missed, 30, "no_show")
      record(yield* send("PATCH", missed, { status: "cancelled", cancel_reason: "no_show" }))
      assert.deepInclude(yield* read(missed), { cancellation_fee: 43.5 })
      assert.deepInclude(record(yield* send("PATCH", missed, { tolls_amount: 4 })), {
        cancellation_fee: 47.5
      })
    })
  )

  it.effect("stays when an input of it changes, and the response warns until the trip is priced again", () =>
    Effect.gen(function* () {
      const { read, send, sold, trip } = yield* carrier(yield* openServer())
      const { path } = yield* sold()
      const changed = (of: string, body: object) => Effect.map(send("PATCH", of, body), record)
      const outdated = { warnings: [{ type: "price_outdated" }] }
      assert.deepInclude(yield* changed(path, { distance_m: 12_000 }), { total_amount: 45, ...outdated })
      assert.deepInclude(yield* changed(path, { notes: "At the gate" }), { warnings: [] })
      record(yield* send("POST", `${path}/fare`, {}))
      assert.deepInclude(yield* read(path), { total_amount: 50 })
      // A price that was set by hand, or that comes from no tariff, depends on no input.
      assert.deepInclude(yield* changed(path, { distance_m: 9000, total_amount: 40 }), { warnings: [] })
      const { trip_id } = yield* trip({ total_amount: 45 })
      assert.deepInclude(yield* changed(`/trips/${String(trip_id)}`, { distance_m: 1 }), { warnings: [] })
    })
  )

  it.effect("stays when the trip moves with its group, and the response warns of each such trip", () =>
    Effect.gen(function* () {
      const { send, sold, trip } = yield* carrier(yield* openServer())
      const group = { group_id: "congress" }
      yield* sold(group)
      yield* trip({ ...group, total_amount: 45 })
      const moved = record(yield* send("POST", "/dispatch/groups", { ...group, move_minutes: 30 }))
      assert.deepStrictEqual(
        (moved["trips"] as ReadonlyArray<{ readonly warnings: unknown }>).map(({ warnings }) =>
          (warnings as ReadonlyArray<{ readonly type: string }>).filter(
            ({ type }) => type === "price_outdated"
          )
        ),
        [[{ type: "price_outdated" }], []]
      )
    })
  )

  it.effect(
    "is computed when an operator prices an open trip by a tariff, in the class that was ordered",
    () =>
      Effect.gen(function* () {
        const { fare, report, send, trip, waited } = yield* carrier(yield* openServer())
        const { trip_id } = yield* trip({ distance_m: 10_000, vehicle_class: "sedan" })
        const path = `/trips/${String(trip_id)}`
        refusedAs(yield* send("GET", `${path}/fare`), 404, "not_found")
        const priced = record(yield* send("POST", `${path}/fare`, {}))
        assert.deepInclude(priced, { trip_id, final: null, overridden: false })
        assert.deepStrictEqual(yield* fare(path), priced)
        record(yield* send("POST", `${path}/fare`, { vehicle_class: "van" }))
        const changed = record(yield* send("GET", path))
        assert.deepInclude(changed, { total_amount: 60, vehicle_class: "van" })
        yield* waited(path, 35, "passenger_on_board")
        assert.deepInclude(yield* report(path, { status: "completed" }), { total_amount: 70 })
        refusedAs(yield* send("POST", `${path}/fare`, {}), 409, "conflict")
      })
  )

  it.effect(
    "is refused with wrong fields, without a fare in the class, and for another business's trip",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { send, trip } = yield* carrier(server)
        const other = yield* carrier(server)
        const { trip_id } = yield* trip()
        const path = `/trips/${String(trip_id)}/fare`
        const issuesOf = (body: object) =>
          Effect.map(send("POST", path, body), (answer) => refusedAs(answer, 422, "invalid_request"))
        assert.sameDeepMembers(
          [...((yield* issuesOf({ vehicle_class: "tank", tariff_id: 0 })) ?? [])],
          wrong({ vehicle_class: "unknown_value", tariff_id: "out_of_range" })
        )
        assert.deepStrictEqual(yield* issuesOf({}), wrong({ vehicle_class: "required" }))
        const unpriced = yield* send("POST", path, { vehicle_class: "sedan" })
        assert.deepStrictEqual(
          refusedAs(unpriced, 422, "invalid_request"),
          wrong({ vehicle_class: "invalid" })
        )
        assert.include(
          unpriced.body.error?.message,
          "No fare in class sedan: the distance of the trip is unknown. Add its coordinates or distance_m"
        )
        const measured = yield* trip({ distance_m: 10_000 })
        const bus = yield* send("POST", `/trips/${String(measured["trip_id"])}/fare`, {
          vehicle_class: "bus"
        })
        assert.deepStrictEqual(refusedAs(bus, 422, "invalid_request"), wrong({ vehicle_class: "invalid" }))
        assert.include(
          bus.body.error?.message,
          "No fare in class bus (with a fare: sedan, van): the tariff has no prices for this class"
        )
        const unknown = { vehicle_class: "van", tariff_id: other.tariffId }
        assert.deepStrictEqual(yield* issuesOf(unknown), wrong({ tariff_id: "not_found" }))
        for (const [method, body] of [
          ["GET", undefined],
          ["POST", { vehicle_class: "van" }]
        ] as const)
          refusedAs(yield* other.send(method, path, body), 404, "not_found")
        assert.deepInclude(record(yield* send("GET", path.replace("/fare", ""))), { total_amount: null })
      })
  )

  it.effect(
    "and that of a quote are computed again to the cent from what is stored, after the tariff changed",
    () =>
      Effect.gen(function* () {
        const ports = yield* Effect.context<CommonPorts>()
        const { businessId, fare, report, send, sold, tariffId, waited } = yield* carrier(yield* openServer())
        const estimate = record(yield* send("POST", "/fares/estimate", ride))
        const { path, quote_id } = yield* sold()
        const tariffPath = `/tariffs/${tariffId}`
        const dearer = [{ vehicle_class: "sedan", distance: [{ base: 99 }] }]
        assert.deepInclude(record(yield* send("PATCH", tariffPath, { classes: dearer, modifiers: null })), {
          version: 2
        })
        assert.notDeepEqual(record(yield* send("POST", "/fares/estimate", ride))["fares"], estimate["fares"])
        record(yield* send("DELETE", tariffPath))
        yield* waited(path, 35, "passenger_on_board")
        yield* report(path, { status: "completed" })
        const { items } = record(yield* send("GET", `/quotes/${String(quote_id)}`))
        const [item] = items as ReadonlyArray<{ readonly fare: unknown }>
        const ofTrip = yield* fare(path)
        const estimates = yield* FareEstimates.pipe(
          Effect.provide(FareEstimates.layer.pipe(Layer.provide(Layer.succeedContext(ports))))
        )
        const version = { tariff_id: TariffId.make(tariffId), version: 1 }
        for (const stored of [item?.fare, ofTrip["quoted"], ofTrip["final"]]) {
          const { fare: then, inputs } = yield* Schema.decodeUnknownEffect(ComputedFare)(stored)
          const { fares } = yield* estimates.computeAgain(BusinessId.make(businessId), version, inputs)
          assert.deepStrictEqual(
            fares.find(({ vehicle_class }) => vehicle_class === then.vehicle_class),
            then
          )
        }
      })
  )
})
