import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { company, wrong } from "../support/Fleet.ts"
import { booking } from "../support/Tenant.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { formOf } from "../uploads/Submission.ts"
import { ride, tariff } from "./Carrier.ts"

type Fields = Readonly<Record<string, unknown>>

const flat = (base: number) => [{ vehicle_class: "sedan", distance: [{ base }] }]

/** A business with a tariff of a flat price in USD, and functions that change it and ask for prices. */
const seller = Effect.gen(function* () {
  const server = yield* openServer()
  const owner = yield* company(server)
  const { send } = owner
  const made = (base: number, more: object = {}) =>
    Effect.map(
      send("POST", "/tariffs", { name: `At ${base}`, currency: "USD", classes: flat(base), ...more }),
      (answer) => Number(record(answer)["tariff_id"])
    )
  const priceOf = (request: object = {}) =>
    Effect.map(send("POST", "/fares/estimate", { ...ride, ...request }), (answer) => {
      const [fare] = record(answer)["fares"] as ReadonlyArray<Fields>
      return fare?.["total_amount"]
    })
  return { ...owner, made, priceOf, server }
})

layer(Ports)("the modifiers of a tariff", (it) => {
  it.effect("that a change does not send stay, and a null or an empty list removes one", () =>
    Effect.gen(function* () {
      const { send } = yield* seller
      const path = `/tariffs/${String(record(yield* send("POST", "/tariffs", tariff))["tariff_id"])}`
      const changed = (modifiers: object | null) =>
        Effect.map(send("PATCH", path, { modifiers }), (answer) => record(answer)["modifiers"] as Fields)
      const before = record(yield* send("GET", path))["modifiers"] as Fields
      const greeted = yield* changed({ meet_and_greet: [{ id: "sign", amount: 15 }] })
      assert.deepInclude(greeted, { waiting: before["waiting"], no_show: before["no_show"] })
      assert.nestedPropertyVal(greeted, "meet_and_greet[0].amount", 15)
      const dearer = yield* changed({ meet_and_greet: [{ id: "sign", amount: 20 }], rounding: { to: 0.5 } })
      assert.deepInclude(dearer, { waiting: before["waiting"] })
      const without = yield* changed({ waiting: null, no_show: [], rounding: null })
      assert.deepStrictEqual(without, { ...dearer, waiting: [], no_show: [], rounding: null })
      assert.isNull(yield* changed(null))
      assert.nestedPropertyVal(yield* changed({ gratuity: [{ percent: 10 }] }), "gratuity[0].percent", 10)
      assert.deepStrictEqual(
        refusedAs(yield* send("PATCH", path, { modifiers: { waiting: 7 } }), 422, "invalid_request"),
        wrong({ "modifiers.waiting": "invalid" })
      )
    })
  )
})

layer(Ports)("the versions of a tariff", (it) => {
  it.effect("are listed and read, also once the tariff is deleted", () =>
    Effect.gen(function* () {
      const { made, send, server } = yield* seller
      const id = yield* made(40)
      const path = `/tariffs/${id}`
      record(yield* send("PATCH", path, { classes: flat(50), valid_from: "2027-01-01T00:00:00Z" }))
      record(yield* send("DELETE", path))
      assert.deepStrictEqual(
        records(yield* send("GET", `${path}/versions`)).map(({ name, valid_from, version }) => [
          version,
          name,
          valid_from
        ]),
        [
          [2, "At 40", "2027-01-01T00:00:00Z"],
          [1, "At 40", null]
        ]
      )
      const first = record(yield* send("GET", `${path}/versions/1`))
      assert.deepInclude(first, { tariff_id: id, version: 1, valid_from: null })
      assert.nestedPropertyVal(first, "classes[0].distance[0].base", 40)
      const other = yield* company(server)
      for (const [send_, at] of [
        [send, `${path}/versions/3`],
        [send, `${path}/versions/99999999999`],
        [send, "/tariffs/999999/versions"],
        [other.send, `${path}/versions`],
        [other.send, `${path}/versions/1`]
      ] as const)
        refusedAs(yield* send_("GET", at), 404, "not_found")
    })
  )

  it.effect("price a pickup from valid_from on, on the business's clock", () =>
    Effect.gen(function* () {
      const { made, priceOf, send } = yield* seller
      record(yield* send("PATCH", "/settings/business", { timezone: "Europe/Zurich" }))
      const path = `/tariffs/${yield* made(40)}`
      const changed = (body: object) => Effect.map(send("PATCH", path, body), record)
      const next = yield* changed({ classes: flat(50), valid_from: "2027-01-01T00:00:00" })
      assert.deepInclude(next, { version: 2, valid_from: "2026-12-31T23:00:00Z" })
      const prices = Effect.all([
        priceOf({ trip_date: "2026-12-31T22:59:59Z" }),
        priceOf({ trip_date: "2026-12-31T23:00:00Z" })
      ])
      assert.deepStrictEqual(yield* prices, [40, 50])
      // A correction of today's prices leaves those of the new year.
      yield* changed({ classes: flat(42), valid_from: null })
      assert.deepStrictEqual(yield* prices, [42, 50])
      // A change without valid_from keeps that of the latest version.
      yield* changed({ valid_from: "2027-01-01T00:00:00", classes: flat(55) })
      assert.deepInclude(yield* changed({ classes: flat(56) }), { valid_from: "2026-12-31T23:00:00Z" })
      assert.deepStrictEqual(yield* prices, [42, 56])
      // The items of a quote each have the version of their own time.
      const items = ["2026-12-31T12:00:00Z", "2027-01-01T12:00:00Z"].map((trip_date) => ({
        description: "Ride",
        trip: { ...ride, trip_date }
      }))
      const { quote_id } = record(yield* send("POST", "/quotes", { customer_name: "Ada", items }))
      const quote = record(
        yield* send("POST", `/quotes/${String(quote_id)}/price`, { vehicle_class: "sedan" })
      )
      assert.strictEqual(quote["total_amount"], 98)
      assert.deepStrictEqual(
        refusedAs(yield* send("PATCH", path, { valid_from: "soon" }), 422, "invalid_request"),
        wrong({ valid_from: "invalid" })
      )
      const later = yield* made(1, { valid_from: "2040-01-01T00:00:00Z" })
      assert.deepStrictEqual(
        refusedAs(
          yield* send("POST", "/fares/estimate", { ...ride, tariff_id: later }),
          422,
          "invalid_request"
        ),
        wrong({ tariff_id: "not_found" })
      )
    })
  )
})

layer(Ports)("the tariff of a customer", (it) => {
  it.effect("prices the customer's estimates, quotes and trips unless a request names another one", () =>
    Effect.gen(function* () {
      const { customer, made, priceOf, send } = yield* seller
      const general = yield* made(40)
      const tariff_id = yield* made(30)
      const { customer_id } = yield* customer({ tariff_id })
      const plain = yield* customer()
      assert.strictEqual(yield* priceOf({ customer_id }), 30)
      assert.strictEqual(yield* priceOf({ customer_id: plain["customer_id"] }), 40)
      assert.strictEqual(yield* priceOf({ customer_id, tariff_id: general }), 40)
      const trip = { ...ride, customer_id, vehicle_class: "sedan" }
      const path = `/trips/${String(record(yield* send("POST", "/trips", trip))["trip_id"])}`
      record(yield* send("POST", `${path}/fare`, {}))
      assert.deepInclude(record(yield* send("GET", path)), { total_amount: 30 })
      const items = [{ description: "Ride", trip: { ...booking, ...ride } }]
      const { quote_id } = record(yield* send("POST", "/quotes", { customer_id, items }))
      const quote = record(
        yield* send("POST", `/quotes/${String(quote_id)}/price`, { vehicle_class: "sedan" })
      )
      assert.strictEqual(quote["total_amount"], 30)
      // Once the tariff is deleted, the general one applies.
      record(yield* send("DELETE", `/tariffs/${tariff_id}`))
      assert.strictEqual(yield* priceOf({ customer_id }), 40)
      record(yield* send("PATCH", `/customers/${String(customer_id)}`, { notes: "Pays late" }))
      for (const [method, at] of [
        ["POST", "/customers"],
        ["PATCH", `/customers/${String(plain["customer_id"])}`]
      ] as const)
        assert.deepStrictEqual(
          refusedAs(yield* send(method, at, { name: "Bob", tariff_id }), 422, "invalid_request"),
          wrong({ tariff_id: "not_found" })
        )
      assert.deepStrictEqual(
        refusedAs(
          yield* send("POST", "/fares/estimate", { ...ride, customer_id: 999_999 }),
          422,
          "invalid_request"
        ),
        wrong({ customer_id: "not_found" })
      )
    })
  )
})

layer(Ports)("a price list", (it) => {
  it.effect("is imported from a form as the next version, or refused with its wrong lines", () =>
    Effect.gen(function* () {
      const { key, made, send, server } = yield* seller
      const zones = ["city", "lake"].map((id, at) => ({ id, name: id, kind: "postal", prefixes: [`8${at}`] }))
      const path = `/tariffs/${yield* made(40, { zones })}`
      const submit = Effect.fnUntraced(function* (
        ...fields: ReadonlyArray<readonly [string, Uint8Array<ArrayBuffer> | string]>
      ) {
        const response = new Response(formOf(...fields))
        const form = new Uint8Array(yield* Effect.promise(() => response.arrayBuffer()))
        const headers = { "content-type": response.headers.get("content-type") ?? "" }
        return yield* server.send("POST", `${path}/import`, { credential: key, form, headers })
      })
      const file = new TextEncoder().encode("\uFEFFfrom;to;sedan\r\nCity;Lake;90,50\r\n")
      const taken = record(yield* submit(["file", file], ["valid_from", "2027-01-01T00:00:00Z"]))
      assert.deepInclude(taken, { version: 2, valid_from: "2027-01-01T00:00:00Z" })
      assert.nestedPropertyVal(taken, "classes[0].fixed[0].amount", 90.5)
      const replaced = record(
        yield* submit(["file", "zone,sedan\nlake,30\n"], ["from", "lake"], ["replace", "true"])
      )
      assert.nestedPropertyVal(replaced, "classes[0].fixed[0].amount", 30)
      assert.nestedPropertyVal(replaced, "classes[0].fixed.length", 1)
      const refused = yield* submit(["file", "from,to,sedan\ncity,Basle,1\ncity,lake,x\n"])
      assert.deepStrictEqual(
        refusedAs(refused, 422, "invalid_request"),
        wrong({ "lines.2.to": "not_found", "lines.3.sedan": "invalid" })
      )
      assert.include(refused.body.error?.message, 'line 2: the tariff has no zone "Basle"')
      for (const [fields, issues] of [
        [[], { file: "required" }],
        [
          [
            ["file", "a"],
            ["file", "b"]
          ],
          { file: "invalid" }
        ],
        [
          [
            ["file", "a"],
            ["replace", "perhaps"],
            ["valid_from", "soon"]
          ],
          { replace: "invalid", valid_from: "invalid" }
        ]
      ] as const)
        assert.sameDeepMembers(
          [...(refusedAs(yield* submit(["x", "y"], ...fields), 422, "invalid_request") ?? [])],
          wrong(issues)
        )
      assert.deepInclude(record(yield* send("GET", path)), { version: 3 })
      assert.strictEqual((yield* send("POST", `${path}/import`, { file: "a" })).status, 415)
    })
  )
})
