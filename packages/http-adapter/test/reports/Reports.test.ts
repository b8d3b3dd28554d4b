// The scenario runs on both adapters of the port, so that they keep one contract.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { biller, billing, billingPg, line } from "../billing/Billing.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"

type Row = Readonly<Record<string, unknown>>

const sumOf = (rows: ReadonlyArray<Row>, field: string) =>
  Math.round(rows.reduce((sum, row) => sum + Number(row[field]), 0) * 100) / 100

/** A business with work and invoices of a day, and the function that reads its reports. */
const scene = Effect.gen(function* () {
  const server = yield* openServer()
  const owner = yield* biller(server)
  const { invoice, payment, send } = owner
  record(yield* send("PATCH", "/settings/business", { timezone: "Europe/Zurich", currency: "CHF" }))
  const post = (path: string, body: object) => Effect.map(send("POST", path, body), record)
  const { customer_id } = yield* post("/customers", { name: "=SUM(A1), Ltd" })
  const { driver_id } = yield* post("/drivers", { name: "Zoë" })
  const { car_id } = yield* post("/cars", { name: "Black", plate_number: "ZH 1", seats: 4 })
  const trip = (change: object = {}) =>
    post("/trips", {
      trip_date: "2026-11-20T11:00:00Z",
      pickup_address: "Here",
      dropoff_address: "There",
      customer_id,
      total_amount: 100,
      vehicle_class: "van",
      distance_m: 12_340,
      ...change
    })
  const { trip_id } = yield* trip({ car_id })
  record(yield* send("POST", `/trips/${String(trip_id)}/drivers`, { driver_ids: [driver_id] }))
  const report = (body: object) =>
    Effect.map(send("PATCH", `/trips/${String(trip_id)}/driver-status`, body), record)
  yield* report({ status: "en_route", force: true })
  yield* TestClock.adjust("3 minutes")
  yield* report({ status: "en_route", milestone: "arrived_at_pickup" })
  yield* TestClock.adjust("87 minutes")
  yield* report({ status: "completed" })
  const cancelled = yield* trip()
  const cancellation = { status: "cancelled", cancel_reason: "no_show", cancellation_fee: 40 }
  record(yield* send("PATCH", `/trips/${String(cancelled["trip_id"])}`, cancellation))
  yield* trip({ trip_date: "2026-12-01T12:00:00Z" })
  const ofTrip = yield* invoice({ trip_ids: [trip_id], tax_rate: 7.7, customer_id })
  yield* payment(ofTrip["invoice_id"], 50)
  const mixed = yield* invoice({
    items: [
      { ...line, unit_price: 33.33, tax_rate: 8.1 },
      { ...line, unit_price: 10, tax_rate: 0 }
    ],
    due_date: "2026-10-01"
  })
  yield* payment(mixed["invoice_id"], 1)
  record(
    yield* send("POST", `/invoices/${String(mixed["invoice_id"])}/credit-notes`, {
      items: [{ ...line, unit_price: 10, tax_rate: 8.1 }]
    })
  )
  const foreign = yield* invoice({ items: [{ ...line, tax_rate: 20 }], currency: "EUR" })
  const voided = yield* invoice()
  record(yield* send("DELETE", `/invoices/${String(voided["invoice_id"])}`))
  const invoices = yield* Effect.forEach([ofTrip, mixed, foreign], ({ invoice_id }) => owner.read(invoice_id))
  const read = (path: string) =>
    Effect.map(send("GET", `/reports/${path}`), (answer) => {
      const { rows, totals, ...head } = record(answer)
      return { head, rows: rows as ReadonlyArray<Row>, totals: totals as ReadonlyArray<Row> }
    })
  return { ...owner, server, read, invoices, customer_id, driver_id, car_id }
})

for (const declare of [billing, billingPg])
  declare("reports", (it) => {
    it.effect("of money equal the invoices less their credit notes, each currency apart", () =>
      Effect.gen(function* () {
        const { customer_id, invoices, read } = yield* scene
        const inCurrency = (currency: string) => invoices.filter((one) => one["currency"] === currency)
        const totalOf = (currency: string) =>
          Math.round(
            (sumOf(inCurrency(currency), "total_amount") - sumOf(inCurrency(currency), "amount_credited")) *
              100
          ) / 100
        for (const by of ["day", "month", "customer"]) {
          const { rows, totals } = yield* read(`revenue?by=${by}`)
          assert.deepStrictEqual(
            totals.map(({ currency, total }) => [currency, total]),
            ["CHF", "EUR"].map((currency) => [currency, totalOf(currency)]),
            by
          )
          for (const { currency, net, tax, total } of totals) {
            const own = rows.filter((row) => row["currency"] === currency)
            assert.deepStrictEqual(
              [sumOf(own, "net"), sumOf(own, "tax"), sumOf(own, "total")],
              [net, tax, total]
            )
          }
        }
        const days = yield* read("revenue?from=2026-11-20&to=2026-11-20")
        assert.deepStrictEqual(days.head, {
          report: "revenue",
          by: "day",
          from: "2026-11-20",
          to: "2026-11-20",
          timezone: "Europe/Zurich"
        })
        assert.deepStrictEqual(days.rows, [
          {
            key: "2026-11-20",
            label: "2026-11-20",
            currency: "CHF",
            documents: 3,
            net: 133.33,
            tax: 9.59,
            total: 142.92
          },
          {
            key: "2026-11-20",
            label: "2026-11-20",
            currency: "EUR",
            documents: 1,
            net: 100,
            tax: 20,
            total: 120
          }
        ])
        const customers = yield* read("revenue?by=customer")
        assert.deepStrictEqual(
          customers.rows.map(({ currency, key, label, net }) => [key, label, currency, net]),
          [
            [String(customer_id), "=SUM(A1), Ltd", "CHF", 100],
            [null, null, "CHF", 33.33],
            [null, null, "EUR", 100]
          ]
        )
        const classes = yield* read("revenue?by=class")
        assert.deepStrictEqual(
          classes.rows.map(({ currency, key, net, total }) => [key, currency, net, total]),
          [
            ["van", "CHF", 100, null],
            [null, "CHF", 33.33, null],
            [null, "EUR", 100, null]
          ]
        )
        const products = yield* read("revenue?by=product")
        assert.deepStrictEqual(
          products.totals.map(({ currency, net, tax }) => [currency, net, tax]),
          [
            ["CHF", 133.33, null],
            ["EUR", 100, null]
          ]
        )
        assert.deepStrictEqual((yield* read("taxes")).rows, [
          { month: "2026-11", name: null, rate: 0, currency: "CHF", taxable: 10, tax: 0 },
          { month: "2026-11", name: null, rate: 7.7, currency: "CHF", taxable: 100, tax: 7.7 },
          { month: "2026-11", name: null, rate: 8.1, currency: "CHF", taxable: 23.33, tax: 1.89 },
          { month: "2026-11", name: null, rate: 20, currency: "EUR", taxable: 100, tax: 20 }
        ])
        const unpaid = yield* read("unpaid")
        assert.deepStrictEqual(
          unpaid.totals.map(({ amount, currency }) => [currency, amount]),
          ["CHF", "EUR"].map((currency) => [currency, sumOf(inCurrency(currency), "amount_due")])
        )
        assert.deepStrictEqual(
          unpaid.rows.map(({ currency, invoices: count, key }) => [key, currency, count]),
          [
            ["not_due", "CHF", 1],
            ["not_due", "EUR", 1],
            ["to_60", "CHF", 1]
          ]
        )
        assert.deepStrictEqual((yield* read("unpaid?to=2026-11-19")).rows, [])
        assert.deepStrictEqual((yield* read("revenue?from=2026-11-01&to=2026-11-19")).rows, [])
      })
    )

    it.effect("of work have the trips, the drivers and the cars of the days", () =>
      Effect.gen(function* () {
        const { car_id, driver_id, read } = yield* scene
        assert.deepStrictEqual((yield* read("trips?to=2026-11-30")).rows, [
          { key: "cancelled", currency: "CHF", trips: 1, amount: 40 },
          { key: "completed", currency: "CHF", trips: 1, amount: 100 }
        ])
        assert.deepStrictEqual((yield* read("trips?by=channel&to=2026-11-30")).rows, [
          { key: "api", currency: "CHF", trips: 2, amount: 140 }
        ])
        const late = {
          jobs: 1,
          reported: 1,
          on_time: 0,
          late_to_5: 1,
          late_to_15: 0,
          late_over_15: 0,
          average_minutes_late: 3
        }
        const punctuality = yield* read("punctuality")
        assert.deepStrictEqual(
          [punctuality.rows, punctuality.totals],
          [[{ driver_id, driver_name: "Zoë", ...late }], [late]]
        )
        const work = { jobs: 1, hours: 1.5, kilometres: 12.3 }
        const used = { days_used: 1, use: 0.05 }
        const drivers = yield* read("drivers?from=2026-11-01&to=2026-11-20")
        assert.deepStrictEqual(
          [drivers.rows, drivers.totals],
          [[{ driver_id, driver_name: "Zoë", ...work, ...used }], [work]]
        )
        const cars = yield* read("cars?from=2026-11-01&to=2026-11-20")
        assert.deepStrictEqual(
          [cars.rows, cars.totals],
          [[{ car_id, car_name: "Black", plate_number: "ZH 1", ...work, ...used }], [work]]
        )
      })
    )

    it.effect("come as CSV whose cells are no formulas, and name what is wrong with a request", () =>
      Effect.gen(function* () {
        const { key, send, server } = yield* scene
        const csv = yield* server.send("GET", "/reports/revenue?by=customer", {
          credential: key,
          headers: { accept: "text/csv" }
        })
        assert.strictEqual(csv.headers.get("content-type"), "text/csv; charset=utf-8")
        assert.strictEqual(csv.headers.get("content-disposition"), 'attachment; filename="revenue.csv"')
        const [columns, first] = csv.text.split("\r\n")
        assert.strictEqual(columns, "key,label,currency,documents,net,tax,total")
        assert.match(first ?? "", /^\d+,"'=SUM\(A1\), Ltd",CHF,1,100,7\.7,107\.7$/u)
        const wrong = (path: string) =>
          Effect.map(send("GET", `/reports/${path}`), (answer) => refusedAs(answer, 422, "invalid_request"))
        assert.deepStrictEqual(yield* wrong("revenue?from=2026-11-20&to=2026-11-19&by=status"), [
          { field: "to", issue: "out_of_range" },
          { field: "by", issue: "invalid" }
        ])
        assert.deepStrictEqual(yield* wrong("taxes?from=2020-01-01&to=2026-01-01"), [
          { field: "to", issue: "out_of_range" }
        ])
        yield* wrong("taxes?from=2020-02-30")
        refusedAs(yield* server.send("GET", "/reports/taxes"), 401, "unauthorized")
        refusedAs(yield* send("GET", "/reports/other"), 404, "not_found")
        assert.isAbove(records(yield* send("GET", "/invoices")).length, 0)
      })
    )

    it.effect("count an invoice on its day of issue, as the books do, and no draft", () =>
      Effect.gen(function* () {
        const { invoice, read } = yield* scene
        yield* invoice({ items: [line], currency: "USD", issued_on: "2026-10-31" })
        yield* invoice({ items: [line], currency: "USD", draft: true })
        const october = yield* read("revenue?from=2026-10-01&to=2026-10-31")
        assert.deepStrictEqual(
          october.rows.map(({ currency, documents, key }) => [key, currency, documents]),
          [["2026-10-31", "USD", 1]]
        )
        assert.deepStrictEqual(
          (yield* read("taxes?from=2026-10-01&to=2026-10-31")).rows.map(({ month, taxable }) => [
            month,
            taxable
          ]),
          [["2026-10", 100]]
        )
        assert.isEmpty((yield* read("revenue")).rows.filter(({ currency }) => currency === "USD"))
        const unpaid = (yield* read("unpaid?to=2026-10-31")).rows
        assert.deepStrictEqual(
          unpaid.map(({ currency, key }) => [key, currency]),
          [["to_30", "USD"]]
        )
      })
    )

    it.effect("of several months have each key once, with the sum of the months", () =>
      Effect.gen(function* () {
        const { customer_id, driver_id, invoice, read } = yield* scene
        yield* invoice({
          items: [{ ...line, tax_rate: 7.7 }],
          customer_id,
          issued_on: "2026-10-15",
          currency: "CHF"
        })
        const days = "from=2026-10-15&to=2026-12-31"
        const customers = yield* read(`revenue?by=customer&${days}`)
        assert.deepInclude(customers.rows, {
          key: String(customer_id),
          label: "=SUM(A1), Ltd",
          currency: "CHF",
          documents: 2,
          net: 200,
          tax: 15.4,
          total: 215.4
        })
        const classes = yield* read(`revenue?by=class&${days}`)
        assert.deepStrictEqual(
          classes.rows.map(({ currency, documents, key, net, tax }) => [key, currency, documents, net, tax]),
          [
            ["van", "CHF", 1, 100, null],
            [null, "CHF", 3, 133.33, null],
            [null, "EUR", 1, 100, null]
          ]
        )
        const trips = yield* read(`trips?by=channel&${days}`)
        assert.deepStrictEqual(trips.rows, [{ key: "api", currency: "CHF", trips: 3, amount: 240 }])
        const drivers = yield* read(`drivers?${days}`)
        assert.deepStrictEqual(
          drivers.rows.map((row) => [row["driver_id"], row["jobs"], row["days_used"]]),
          [[driver_id, 1, 1]]
        )
        const taxes = yield* read(`taxes?${days}`)
        assert.deepStrictEqual(
          taxes.rows.filter(({ rate }) => rate === 7.7).map(({ month, tax }) => [month, tax]),
          [
            ["2026-10", 7.7],
            ["2026-11", 7.7]
          ]
        )
      })
    )
  })
