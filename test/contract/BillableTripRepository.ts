/** The contract of `BillableTripRepository`. */
import { BillableTripRepository, Currency, type NewTrip } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { at, contract } from "./Contract.ts"
import { changeTrip, newBusiness, newCustomer, newTrip } from "./Given.ts"

const currency = Currency.make("CHF")

export const billableTripRepository = contract("the trips that can be invoiced", (it) => {
  it.effect("are those of a customer in a time that ended with a price or a fee, the earliest first", () =>
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
      yield* made({ trip_date: at("12:00:00") })
      yield* made({ trip_date: at("09:59:59") })
      for (const change of [
        { customer_id: stranger },
        { currency: Currency.make("EUR") },
        { total_minor: null },
        { total_minor: 0 },
        { status: "confirmed" as const },
        { status: "cancelled" as const }
      ])
        yield* made({ trip_date: at("11:00:00"), ...change })
      const query = { customerId, currency, from: at("10:00:00"), before: at("12:00:00") }
      assert.deepStrictEqual(yield* trips.ofCustomer(business, query, 10), [
        { trip_id: first, po_number: null, cost_center: null },
        { trip_id: second, po_number: "4500", cost_center: "Sales" },
        { trip_id: fee, po_number: null, cost_center: null }
      ])
      assert.lengthOf(yield* trips.ofCustomer(business, query, 2), 2)
      assert.deepStrictEqual(yield* trips.ofCustomer(yield* newBusiness, query, 10), [])
    })
  )
})
