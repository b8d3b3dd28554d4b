/** The contract of `BillableTripRepository`. */
import { BillableTripRepository, Currency, type LeftOutTrip, type NewTrip } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { at, contract } from "./Contract.ts"
import { changeTrip, newBusiness, newCustomer, newTrip } from "./Given.ts"

const currency = Currency.make("CHF")

export const billableTripRepository = contract("the trips that can be invoiced", (it) => {
  it.effect(
    "are those of a customer in a time that ended with a price or a fee, and the others are left out for a reason",
    () =>
      Effect.gen(function* () {
        const trips = yield* BillableTripRepository
        const business = yield* newBusiness
        const [customerId, stranger] = [yield* newCustomer(business), yield* newCustomer(business)]
        const made = Effect.fnUntraced(function* (change: Partial<NewTrip>, later: object = {}) {
          const status = "completed" as const
          const trip = { customer_id: customerId, currency, total_minor: 100, status, ...change }
          const { trip_id } = yield* newTrip(business, trip)
          yield* changeTrip(business, trip_id, { ...trip, ...later })
          return trip_id
        })
        const second = yield* made({ trip_date: at("11:00:00"), po_number: "4500", cost_center: "Sales" })
        const first = yield* made({ trip_date: at("10:00:00") })
        const fee = yield* made(
          { trip_date: at("11:30:00"), status: "cancelled" },
          { cancellation_fee_minor: 50 }
        )
        yield* made({ trip_date: at("12:00:00"), total_minor: null })
        yield* made({ trip_date: at("09:59:59"), total_minor: null })
        const euros = { currency: Currency.make("EUR") }
        const others: Array<LeftOutTrip> = []
        for (const [reason, change, later] of [
          [undefined, { customer_id: stranger, total_minor: null }, {}],
          ["other_currency", euros, {}],
          ["no_price", { total_minor: null }, {}],
          ["no_price", { total_minor: 0 }, {}],
          ["not_completed", { status: "confirmed" as const, ...euros }, {}],
          [undefined, { status: "cancelled" as const }, {}],
          [undefined, { status: "cancelled" as const, ...euros }, {}],
          ["other_currency", { status: "cancelled" as const, ...euros }, { cancellation_fee_minor: 50 }]
        ] as const) {
          const trip_id = yield* made({ trip_date: at("11:00:00"), ...change }, later)
          if (reason !== undefined) others.push({ trip_id, reason })
        }
        const query = { customerId, currency, from: at("10:00:00"), before: at("12:00:00") }
        assert.deepStrictEqual(yield* trips.ofCustomer(business, query, 10), [
          { trip_id: first, po_number: null, cost_center: null },
          { trip_id: second, po_number: "4500", cost_center: "Sales" },
          { trip_id: fee, po_number: null, cost_center: null }
        ])
        assert.lengthOf(yield* trips.ofCustomer(business, query, 2), 2)
        assert.deepStrictEqual(yield* trips.leftOut(business, query, 10), others)
        assert.lengthOf(yield* trips.leftOut(business, query, 2), 2)
        yield* made({ trip_date: at("11:00:00"), customer_id: null })
        const found = yield* trips.customers(business, query)
        assert.deepStrictEqual(
          found.map((one) => [one.customerId, one.currency, one.count]),
          [
            [customerId, "CHF", 5],
            [customerId, "EUR", 3],
            [stranger, "CHF", 1],
            [null, "CHF", 1]
          ]
        )
        assert.deepStrictEqual(yield* trips.customers(yield* newBusiness, query), [])
        assert.deepStrictEqual(yield* trips.leftOut(yield* newBusiness, query, 10), [])
        assert.deepStrictEqual(yield* trips.ofCustomer(yield* newBusiness, query, 10), [])
      })
  )
})
