/** The contract of `ReportRepository`. */
import {
  BookRepository,
  CreditNoteRepository,
  Currency,
  InvoiceRepository,
  ReportRepository,
  type TaxedDocument
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { at, contract } from "./Contract.ts"
import { assign, changeTrip, newBusiness, newCar, newDriver, newTrip, now } from "./Given.ts"
import { invoiceOf } from "./InvoiceRepository.ts"

const timezone = "Europe/Zurich"
const time = { from: at("00:00:00"), before: at("23:00:00"), timezone }
const currency = Currency.make("CHF")

const byKey = <Row extends { readonly key: string | null }>(rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.toSorted((one, other) => String(one.key).localeCompare(String(other.key)))

export const reportRepository = contract("the reports of a business", (it) => {
  it.effect("count the trips whose pickup is in the time, with the fee of a cancelled one", () =>
    Effect.gen(function* () {
      const reports = yield* ReportRepository
      const business = yield* newBusiness
      const trip = { currency, total_minor: 10_000, trip_date: time.from }
      yield* newTrip(business, trip)
      yield* newTrip(business, { ...trip, trip_date: at("21:59:59") })
      yield* newTrip(business, { ...trip, trip_date: time.before })
      yield* newTrip(yield* newBusiness, trip)
      const deleted = yield* newTrip(business, trip)
      yield* changeTrip(business, deleted.trip_id, { deleted_at: now })
      const cancelled = yield* newTrip(business, trip)
      const fee = { status: "cancelled", cancellation_fee_minor: 4000 }
      yield* changeTrip(business, cancelled.trip_id, fee)
      assert.deepStrictEqual(byKey(yield* reports.trips(business, time, "status")), [
        { key: "cancelled", currency, trips: 1, amount_minor: 4000 },
        { key: "confirmed", currency, trips: 2, amount_minor: 20_000 }
      ])
    })
  )

  it.effect("count the completed assignments of completed trips, by driver and by car", () =>
    Effect.gen(function* () {
      const reports = yield* ReportRepository
      const business = yield* newBusiness
      const driver_id = yield* newDriver(business, { name: "Dan" })
      const car_id = yield* newCar(business)
      const done = yield* newTrip(business, { trip_date: at("11:00:00") })
      yield* assign(done, driver_id, "completed", car_id)
      yield* changeTrip(business, done.trip_id, { status: "completed" })
      yield* assign(yield* newTrip(business, { trip_date: at("14:00:00") }), driver_id, "assigned", car_id)
      const [ofDriver, ...otherDrivers] = yield* reports.drivers(business, time)
      assert.deepInclude(ofDriver, { driver_id, driver_name: "Dan", jobs: 1, days_used: 1 })
      assert.isEmpty(otherDrivers)
      const [ofCar, ...otherCars] = yield* reports.cars(business, time)
      assert.deepInclude(ofCar, { car_id, jobs: 1, days_used: 1 })
      assert.isEmpty(otherCars)
      const [punctual] = yield* reports.punctuality(business, time)
      assert.deepInclude(punctual, { driver_id, jobs: 1, reported: 0, late_ms: 0 })
      const other = yield* newBusiness
      for (const report of [reports.drivers, reports.cars, reports.punctuality])
        assert.isEmpty(yield* report(other, time))
    })
  )

  it.effect("add up the invoices that are not void", () =>
    Effect.gen(function* () {
      const reports = yield* ReportRepository
      const invoices = yield* InvoiceRepository
      const business = yield* newBusiness
      yield* invoices.insert(invoiceOf(business), now)
      yield* invoices.insert(invoiceOf(business), now)
      yield* invoices.insert(invoiceOf(business, { status: "void", voided_at: now }), now)
      yield* invoices.insert(invoiceOf(business, { issued_on: "2026-11-21" }), time.before)
      assert.deepStrictEqual(yield* reports.revenue(business, time, "day"), [
        {
          key: "2026-11-20",
          label: "2026-11-20",
          currency,
          documents: 2,
          net_minor: 15_000,
          tax_minor: 1216,
          total_minor: 16_216
        }
      ])
      assert.isEmpty(yield* reports.revenue(yield* newBusiness, time, "day"))
    })
  )

  it.effect("have the documents of the books with their lines and taxes, but no void invoice", () =>
    Effect.gen(function* () {
      const reports = yield* ReportRepository
      const books = yield* BookRepository
      const invoices = yield* InvoiceRepository
      const notes = yield* CreditNoteRepository
      const business = yield* newBusiness
      const [line] = invoiceOf(business).lines
      assert.isDefined(line)
      const gst = { name: "GST", rate: 5 }
      const canadian = { ...line, tax_rate: 14.975, taxes: [gst, { name: "QST", rate: 9.975 }] }
      const { invoice_id } = yield* invoices.insert(invoiceOf(business), now)
      yield* invoices.insert(invoiceOf(business, { lines: [{ ...line, tax_included: true }, canadian] }), now)
      yield* invoices.insert(invoiceOf(business, { status: "void", voided_at: now }), now)
      yield* invoices.insert(invoiceOf(business, { issued_on: "2026-11-21" }), now)
      const credited = { quantity: -1, unit_price_minor: 500, net_minor: -500 }
      yield* notes.insert(
        {
          business_id: business,
          invoice_id,
          reason: "price",
          currency,
          lines: [{ ...line, ...credited }],
          taxes: [{ rate: 8.1, taxable_minor: -500, tax_minor: -41 }],
          subtotal_minor: -500,
          tax_minor: -41,
          total_minor: -541,
          refund_minor: 0,
          notes: null
        },
        now,
        "2026-11-20"
      )
      const days = { from: "2026-11-20", to: "2026-11-20", timezone }
      const invoiced = yield* books.page(business, "invoice", days, null, 10)
      const returned = yield* books.page(business, "credit_note", days, null, 10)
      const expected = [...invoiced, ...returned].flatMap((entry): ReadonlyArray<TaxedDocument> => {
        if (entry.type === "credit_note") return [entry.note]
        return entry.type === "invoice" && entry.invoice.status !== "void"
          ? [{ ...entry.invoice, taxes: null }]
          : []
      })
      const factsOf = ({ currency: of, lines, subtotal_minor, tax_minor, taxes }: TaxedDocument) => ({
        of,
        lines,
        subtotal_minor,
        tax_minor,
        taxes
      })
      const read = yield* reports.taxed(business, time)
      assert.sameDeepMembers(read.map(factsOf), expected.map(factsOf))
      assert.lengthOf(read, 3)
      assert.isEmpty(yield* reports.taxed(yield* newBusiness, time))
    })
  )

  it.effect("add up what open invoices leave to pay, by the days since it was due", () =>
    Effect.gen(function* () {
      const reports = yield* ReportRepository
      const invoices = yield* InvoiceRepository
      const business = yield* newBusiness
      for (const due_date of ["2026-11-20", "2026-11-19", "2026-10-01", "2026-01-01"])
        yield* invoices.insert(invoiceOf(business, { due_date }), now)
      const paid = { status: "paid", due_date: "2026-01-01", paid_minor: 8108 } as const
      yield* invoices.insert(invoiceOf(business, paid), now)
      const rows = yield* reports.unpaid(business, { timezone }, "2026-11-20")
      assert.deepStrictEqual(
        byKey(rows),
        (["not_due", "over_90", "to_30", "to_60"] as const).map((key) => ({
          key,
          currency,
          invoices: 1,
          amount_minor: 3108
        }))
      )
      assert.isEmpty(yield* reports.unpaid(business, { timezone, before: now }, "2026-11-20"))
    })
  )
})
