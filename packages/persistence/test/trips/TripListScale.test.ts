import {
  type BusinessId,
  type CustomerId,
  InvoiceRepository,
  TripListRepository,
  type TripQuery
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { invoiceDraft } from "../../../../test/contract/InvoiceDraft.ts"
import { newCustomer } from "../fleet/Roster.ts"
import { at, TestPersistence, newBusiness } from "../support/TestPersistence.ts"
import { stepsOf } from "./Plans.ts"

/** Makes that many trips around the tests' day, one every ten minutes. One in a hundred is deleted, one in three is invoiced. */
const populate = Effect.fnUntraced(function* (
  businessId: BusinessId,
  count: number,
  customerId: CustomerId | null = null
) {
  const sql = yield* SqlClient.SqlClient
  const { invoice_id } = yield* (yield* InvoiceRepository).insert(invoiceDraft(businessId), at("00:00:00"))
  yield* sql`
    INSERT INTO trips (business_id, customer_id, invoice_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
                       dropoff_address, customer_name, currency, created_at, updated_at, deleted_at)
    SELECT ${businessId}, ${customerId}::bigint, CASE WHEN n % 3 = 0 THEN ${invoice_id}::bigint END, ${customerId ?? ""} || 'TR-' || n, (ARRAY['pending', 'confirmed', 'in_progress', 'completed', 'cancelled'])[1 + n % 5],
           (ARRAY['unpaid', 'partial', 'paid'])[1 + n / 5 % 3], 'transfer',
           '2026-11-20 09:30:00Z'::timestamptz + (n - ${count}::int / 2) * interval '10 minutes', 'a', 'b', 'c', 'USD',
           now(), now(), CASE WHEN n % 100 = 0 THEN now() END
    FROM generate_series(1, ${count}::int) AS n`
})

const day = at("00:00:00")
const ranges: ReadonlyArray<Pick<TripQuery, "from" | "before">> = [
  {},
  { from: day },
  { before: day },
  { from: day, before: DateTime.add(day, { days: 30 }) }
]

const queries: ReadonlyArray<TripQuery> = (["soonest", "latest"] as const).flatMap((order) =>
  ranges.flatMap((range) =>
    ([undefined, "confirmed"] as const).flatMap((status) =>
      [{}, { paymentStatus: "paid" as const }, { invoiced: true }, { invoiced: false }].map((filter) => ({
        order,
        status,
        ...filter,
        ...range
      }))
    )
  )
)

layer(TestPersistence, { excludeTestServices: true })("the list of a large business", (it) => {
  it.effect(
    "reads a range of one index in order, for every filter, on every page, with generic and custom plans",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const trips = yield* TripListRepository
        const [large, small] = [yield* newBusiness(), yield* newBusiness()]
        yield* populate(large, 20_000)
        yield* populate(small, 200)
        // With the statistics of two businesses, then of one large business among hundreds of small ones.
        const hundreds = Effect.forEach(Array.from({ length: 300 }), () =>
          Effect.flatMap(newBusiness(), (business) => populate(business, 3))
        )
        for (const change of [Effect.void, hundreds]) {
          yield* change
          yield* sql`VACUUM ANALYZE trips`.unprepared
          for (const query of queries) {
            const first = yield* trips.page(large, query, { page: 1, perPage: 20 })
            const asked: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
              trips.page(large, query, { page: 1, perPage: 20 }),
              trips.page(large, query, { page: 100, perPage: 20 }),
              trips.after(large, query, first.nextCursor ?? "", 20)
            ]
            for (const planned of ["force_custom_plan", "force_generic_plan"] as const)
              for (const [index, effect] of asked.entries()) {
                const steps = yield* stepsOf(effect, planned)
                const reported = JSON.stringify({
                  query,
                  index,
                  planned,
                  steps: steps.map((step) => [step["Node Type"], step["Index Name"]])
                })
                assert.isNotEmpty(steps)
                for (const step of steps) {
                  assert.notMatch(step["Node Type"], /Seq Scan|Hash|Materialize/u, reported)
                  if (step["Node Type"].includes("Sort")) assert.isAtMost(step["Actual Rows"], 21, reported)
                  if (step["Relation Name"] === "trips") {
                    assert.match(step["Node Type"], /^Index/u, reported)
                    assert.isAtMost(step["Rows Removed by Filter"] ?? 0, 0, reported)
                  }
                  assert.isAtMost(step["Actual Rows"], 2100, reported)
                }
                // After a cursor, no rows are counted or skipped.
                if (index === 2)
                  for (const step of steps)
                    assert.isAtMost(step["Actual Rows"] * step["Actual Loops"], 21, reported)
              }
          }
        }
      })
  )

  it.effect("counts and orders a customer's trips from an index alone", () =>
    Effect.gen(function* () {
      const trips = yield* TripListRepository
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusiness()
      const [regular, rare] = [yield* newCustomer(business), yield* newCustomer(business)]
      yield* populate(business, 4000, regular)
      yield* populate(business, 20, rare)
      yield* populate(business, 4000)
      yield* sql`VACUUM ANALYZE trips`.unprepared
      for (const customerId of [regular, rare])
        for (const planned of ["force_custom_plan", "force_generic_plan"] as const) {
          const query = { order: "latest", customerId } as const
          const steps = yield* stepsOf(trips.page(business, query, { page: 1, perPage: 25 }), planned)
          const received = JSON.stringify(steps.map((step) => [step["Node Type"], step["Index Name"]]))
          for (const step of steps.filter((step) => step["Relation Name"] === "trips")) {
            assert.match(step["Node Type"], /^Index/u, received)
            assert.isAtMost(step["Rows Removed by Filter"] ?? 0, 60, received)
            if (step["Actual Rows"] * step["Actual Loops"] > 26)
              assert.strictEqual(step["Node Type"], "Index Only Scan", received)
          }
        }
    })
  )

  it.effect("reads whole rows for the page alone, also for a late page", () =>
    Effect.gen(function* () {
      const trips = yield* TripListRepository
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusiness()
      yield* populate(business, 4000)
      yield* sql`VACUUM ANALYZE trips`.unprepared
      const steps = yield* stepsOf(
        trips.page(business, { order: "latest" }, { page: 150, perPage: 20 }),
        "force_generic_plan"
      )
      const whole = steps.filter(
        (step) => step["Relation Name"] === "trips" && step["Node Type"] === "Index Scan"
      )
      assert.lengthOf(whole, 1)
      for (const step of whole) assert.isAtMost(step["Actual Rows"] * step["Actual Loops"], 21)
    })
  )

  it.effect("refuses a cursor that it did not make, without details", () =>
    Effect.gen(function* () {
      const trips = yield* TripListRepository
      const business = yield* newBusiness()
      const forged = (text: string) => Buffer.from(text).toString("base64url")
      for (const cursor of [
        "",
        "x",
        "🚘",
        forged("1.2"),
        forged("1.2.3.4"),
        forged("01.2.3"),
        forged("1.2.NaN"),
        forged("1.9e99.3"),
        forged("1.2.99999999999999999999"),
        `${forged("1.2.3")}=`
      ])
        assert.isTrue(Option.isNone(yield* trips.after(business, { order: "latest" }, cursor, 20)), cursor)
      assert.isTrue(Option.isSome(yield* trips.after(business, { order: "latest" }, forged("2.0.3"), 20)))
    })
  )
})
