/** Prices one ride in every way in which it can be sold, and compares the prices. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Recipe } from "../../../domain/test/fares/RandomTariffs.ts"
import { company } from "../support/Fleet.ts"
import { type Answer, record, records, type TestServer } from "../support/TestServer.ts"
import { type RandomRide, sentRide, sentTariff } from "./RandomRides.ts"

type Fields = Readonly<Record<string, unknown>>

/** What a trip has beside its ride. */
const passenger = { pickup_address: "Here", dropoff_address: "There", customer_name: "Ada" }

/** The inputs of a ride that only the business sets: a visitor could lower the price by them. */
const isVisitors = ({ distance_m, duration_minutes, tolls_amount, trip_type, waiting_minutes }: Fields) =>
  distance_m === null &&
  (duration_minutes === null || trip_type === "hourly" || trip_type === "event") &&
  tolls_amount === null &&
  waiting_minutes === null

/** The ride back: the ends are exchanged. */
const back = (ride: Fields): Fields => {
  const ends = ["postal_code", "lat", "lng", "airport"].flatMap((name) => [
    [`pickup_${name}`, ride[`dropoff_${name}`] ?? null],
    [`dropoff_${name}`, ride[`pickup_${name}`] ?? null]
  ])
  return { ...Object.fromEntries(ends), arrival: null, leg: "return" }
}

const priceIn = (fares: unknown, vehicleClass: string) =>
  (fares as ReadonlyArray<Fields>).find(({ vehicle_class }) => vehicle_class === vehicleClass)?.[
    "total_amount"
  ]

/** Makes the function that compares the prices of a ride by a tariff. It returns the number of prices that it compared. */
export const makeComparePrices = (server: TestServer) =>
  Effect.fnUntraced(function* (recipe: Recipe, drawn: RandomRide) {
    const owner = yield* company(server)
    const { send } = owner
    const made = yield* send("POST", "/tariffs", sentTariff(recipe))
    if (made.status === 422) return 0
    const { currency } = recipe
    const ride = sentRide(drawn)
    const estimated = yield* send("POST", "/fares/estimate", ride)
    if (estimated.status === 422) return 0
    const priceOf = (answer: Answer) => priceIn(record(answer)["fares"], "sedan")
    const expected = priceOf(estimated)
    if (expected === undefined) return 0
    let compared = 0
    const same = (actual: unknown, price: unknown, where: string) => {
      compared += 1
      assert.strictEqual(actual, price, where)
    }

    const trip = { ...passenger, ...ride, currency, vehicle_class: "sedan" }
    const pathOf = (booked: Fields) => `/trips/${String(booked["trip_id"])}`
    /** The price of a trip by its own fields, as of the default tariff. */
    const priced = (path: string) =>
      Effect.map(send("POST", `${path}/fare`, {}), (answer) => {
        const { quoted } = record(answer) as { readonly quoted: { readonly fare: Fields } }
        return quoted.fare["total_amount"]
      })
    const read = (path: string) => Effect.map(send("GET", path), record)

    // A trip that is booked without a price, and then priced.
    const direct = pathOf(record(yield* send("POST", "/trips", trip)))
    same(yield* priced(direct), expected, "the trip")
    same((yield* read(direct))["total_amount"], expected, "the price of the trip")

    // A quote, and the trip that it is converted to.
    const items = [{ description: "A ride", trip: { ...trip, vehicle_class: null } }]
    const quote = `/quotes/${String(record(yield* send("POST", "/quotes", { customer_name: "Ada", currency, items }))["quote_id"])}`
    same(
      record(yield* send("POST", `${quote}/price`, { vehicle_class: "sedan" }))["total_amount"],
      expected,
      "the quote"
    )
    const { trip_ids } = record(yield* send("POST", `${quote}/convert`)) as {
      readonly trip_ids: ReadonlyArray<number>
    }
    const converted = `/trips/${String(trip_ids[0])}`
    same((yield* read(converted))["total_amount"], expected, "the converted trip")
    same(yield* priced(converted), expected, "the converted trip by its fields")

    // The booking page, for a ride that a visitor can describe.
    if (isVisitors(ride)) {
      const { vendor_slug } = record(yield* send("GET", "/settings/business"))
      const page = `/public/businesses/${String(vendor_slug)}`
      const visit = (path: string, body: object) => server.send("POST", `${page}${path}`, { body })
      const { fares } = record(yield* visit("/estimate", ride)) as { readonly fares: ReadonlyArray<Fields> }
      same(priceIn(fares, "sedan"), expected, "the booking page")
      const price_token = fares.find(({ vehicle_class }) => vehicle_class === "sedan")?.["price_token"]
      const { reference } = record(yield* visit("/trips", { ...passenger, price_token }))
      const [found] = records(yield* send("GET", `/trips?reference=${String(reference)}`))
      same(found?.["total_amount"], expected, "the booked ride")
      same(yield* priced(pathOf(found ?? {})), expected, "the booked ride by its fields")
    }

    // A copy, and the return leg.
    const copy = pathOf(record(yield* send("POST", `${converted}/duplicate`, {})))
    same((yield* read(copy))["total_amount"], expected, "the copy")
    same(yield* priced(copy), expected, "the copy by its fields")
    const { leg: _leg, ...returning } = back(ride)
    const returned = priceOf(yield* send("POST", "/fares/estimate", { ...ride, ...returning }))
    if (returned !== undefined) {
      const leg = pathOf(record(yield* send("POST", `${converted}/duplicate`, back(ride))))
      same(yield* priced(leg), returned, "the return leg")
    }

    // A changed input leaves the price, and says that the price is of other inputs.
    const change = { meet_and_greet: ride.meet_and_greet !== true }
    const changed = record(yield* send("PATCH", copy, change))
    same(changed["total_amount"], expected, "the changed trip")
    assert.deepInclude(changed["warnings"] as ReadonlyArray<unknown>, { type: "price_outdated" })
    const other = priceOf(yield* send("POST", "/fares/estimate", { ...ride, ...change }))
    if (other !== undefined) same(yield* priced(copy), other, "the changed trip by its fields")

    // The end of the trip, its copy after that, and the invoice.
    yield* send("PATCH", converted, { status: "completed" })
    same((yield* read(converted))["total_amount"], expected, "the completed trip")
    const later = pathOf(record(yield* send("POST", `${converted}/duplicate`, {})))
    same((yield* read(later))["total_amount"], expected, "the copy of the completed trip")
    same(yield* priced(later), expected, "the copy of the completed trip by its fields")
    const { customer_id } = yield* owner.customer()
    const invoice = record(
      yield* send("POST", "/invoices", { customer_id, currency, trip_ids: [trip_ids[0]] })
    )
    // A line for each part of the price that is taxed in its own way; their prices contain the tax of the tariff.
    const lines = invoice["items"] as ReadonlyArray<Fields>
    const charged = lines.reduce((sum, { unit_price }) => sum + Number(unit_price), 0)
    same(Math.round(charged * 1000) / 1000, expected, "the lines of the invoice")
    same(invoice["total_amount"], expected, "the total of the invoice")
    yield* TestClock.adjust("1 minute")
    return compared
  })
