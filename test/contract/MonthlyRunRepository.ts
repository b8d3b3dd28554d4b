/** The contract of `MonthlyRunRepository`. */
import {
  Currency,
  type CustomerId,
  type ItemPlace,
  MonthlyRunInput,
  type MonthlyRunItem,
  MonthlyRunRepository
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option, Schema } from "effect"
import { contract } from "./Contract.ts"
import { newBusiness, newCustomer, now } from "./Given.ts"

const month = "2026-12"
const terms = Schema.decodeSync(MonthlyRunInput)({ month, send: true, group_by: "cost_center" })
const [dollars, euros] = [Currency.make("USD"), Currency.make("EUR")]
const later = DateTime.add(now, { hours: 1 })

/** A run of a new business for two customers, of whom the first has trips in two currencies. */
const given = Effect.gen(function* () {
  const runs = yield* MonthlyRunRepository
  const business = yield* newBusiness
  const [one, two] = [yield* newCustomer(business), yield* newCustomer(business)]
  const started = { business_id: business, month, terms, trips_without_customer: 3 }
  const customers = [
    { customerId: one, currency: euros, count: 1 },
    { customerId: one, currency: dollars, count: 2 },
    { customerId: two, currency: dollars, count: 1 }
  ]
  const run = yield* runs.start(started, customers, now)
  const place = (customer_id: CustomerId, currency: Currency): ItemPlace => ({
    business_id: business,
    run_id: run.run_id,
    customer_id,
    currency
  })
  const places = [place(one, euros), place(one, dollars), place(two, dollars)] as const
  const waiting = (work: "raise" | "send", after: ItemPlace | null = null) =>
    Effect.map(runs.waiting(work, after, 100), (items) =>
      items.filter(({ business_id }) => business_id === business)
    )
  const found = Effect.map(runs.find(business, run.run_id), Option.getOrThrow)
  return { business, customers, found, places, run, runs, started, waiting }
})

const itemAt = (place: ItemPlace, change: Partial<MonthlyRunItem> = {}): MonthlyRunItem => ({
  ...place,
  outcome: "pending",
  invoice_id: null,
  left_out: [],
  sending: null,
  reason: null,
  ...change
})

export const monthlyRunRepository = contract("monthly runs", (it) => {
  it.effect("have an item for each customer and currency, and one is unfinished in a month", () =>
    Effect.gen(function* () {
      const { business, customers, places, run, runs, started } = yield* given
      assert.deepStrictEqual(run, { ...started, run_id: run.run_id, created_at: now, finished_at: null })
      assert.deepStrictEqual(
        yield* runs.items(business, run.run_id),
        places.map((place) => itemAt(place))
      )
      assert.deepStrictEqual(yield* runs.start(started, customers, later), run)
      assert.notStrictEqual(
        (yield* runs.start({ ...started, month: "2026-11" }, customers, now)).run_id,
        run.run_id
      )
      const other = yield* newBusiness
      assert.deepStrictEqual(yield* runs.find(other, run.run_id), Option.none())
      assert.deepStrictEqual(yield* runs.items(other, run.run_id), [])
    })
  )

  it.effect("without customers are finished at once", () =>
    Effect.gen(function* () {
      const { runs, started } = yield* given
      const empty = yield* runs.start({ ...started, month: "2026-10" }, [], now)
      assert.deepStrictEqual(empty.finished_at, now)
    })
  )

  it.effect("wait until each item is done, and are finished then", () =>
    Effect.gen(function* () {
      const { found, places, runs, waiting } = yield* given
      const [one, two, three] = places
      assert.deepStrictEqual(yield* waiting("raise"), [...places])
      assert.deepStrictEqual(yield* waiting("raise", one), [two, three])
      assert.deepStrictEqual(yield* runs.lock("raise", one), Option.some(itemAt(one)))
      assert.deepStrictEqual(yield* runs.lock("send", one), Option.none())
      for (const place of [two, three]) yield* runs.update(itemAt(place, { outcome: "nothing" }), now)
      const left_out = [
        { trip_id: 7 as MonthlyRunItem["left_out"][number]["trip_id"], reason: "no_price" as const }
      ]
      const made = itemAt(one, { outcome: "made", sending: "pending", left_out })
      yield* runs.update(made, now)
      assert.isNull((yield* found).finished_at)
      assert.deepStrictEqual(yield* waiting("raise"), [])
      assert.deepStrictEqual(yield* waiting("send"), [one])
      assert.deepStrictEqual(yield* runs.lock("send", one), Option.some(made))
      yield* runs.update({ ...made, sending: "refused", reason: "No address" }, later)
      assert.deepStrictEqual((yield* found).finished_at, later)
      assert.deepStrictEqual(yield* runs.lock("send", one), Option.none())
    })
  )
})
