/** The figures of a business for a time: what each report has (docs/api/reports.md). */
import { Schema } from "effect"
import { CalendarDay } from "../kernel/time/WallClock.ts"

/** The reports. */
export const ReportName = Schema.Literals([
  "revenue",
  "trips",
  "punctuality",
  "drivers",
  "cars",
  "unpaid",
  "taxes"
])
export type ReportName = typeof ReportName.Type

/** What revenue is grouped by. */
export const RevenueGroup = Schema.Literals(["day", "month", "customer", "class", "product"])
export type RevenueGroup = typeof RevenueGroup.Type

/** What trips are grouped by. */
export const TripGroup = Schema.Literals(["status", "channel"])
export type TripGroup = typeof TripGroup.Type

/** The most days of a report. */
export const maxReportDays = 366

/** The query of a report: days on the business's clock, both included, and the grouping of revenue and trips. */
export const ReportQuery = Schema.Struct({
  from: Schema.optionalKey(CalendarDay),
  to: Schema.optionalKey(CalendarDay),
  by: Schema.optionalKey(Schema.Literals([...RevenueGroup.literals, ...TripGroup.literals]))
})
export type ReportQuery = typeof ReportQuery.Type

const text = Schema.NullOr(Schema.String)
const amount = Schema.Finite
const count = Schema.Int

const revenueSums = {
  documents: count,
  net: amount,
  tax: Schema.NullOr(amount),
  total: Schema.NullOr(amount)
}
const tripSums = { trips: count, amount }
const punctualitySums = {
  jobs: count,
  reported: count,
  on_time: count,
  late_to_5: count,
  late_to_15: count,
  late_over_15: count,
  average_minutes_late: Schema.NullOr(amount)
}
const workSums = { jobs: count, hours: amount, kilometres: amount }
const workOfOne = { ...workSums, days_used: count, use: amount }
const unpaidSums = { invoices: count, amount }
const taxSums = { taxable: amount, tax: amount }
const currency = { currency: Schema.String }
const driver = { driver_id: Schema.Int, driver_name: Schema.String }

/** How long an invoice is overdue, in days. */
export const UnpaidAge = Schema.Literals(["not_due", "to_30", "to_60", "to_90", "over_90"])
export type UnpaidAge = typeof UnpaidAge.Type

const head = <const Name extends ReportName>(report: Name) => ({
  report: Schema.Literal(report),
  from: Schema.NullOr(CalendarDay),
  to: Schema.NullOr(CalendarDay),
  timezone: Schema.String
})

/** Each report: its rows, and the sums of the rows, one for each currency where they are of money. */
const reports = {
  revenue: Schema.Struct({
    ...head("revenue"),
    by: RevenueGroup,
    rows: Schema.Array(Schema.Struct({ key: text, label: text, ...currency, ...revenueSums })),
    totals: Schema.Array(Schema.Struct({ ...currency, ...revenueSums }))
  }),
  trips: Schema.Struct({
    ...head("trips"),
    by: TripGroup,
    rows: Schema.Array(Schema.Struct({ key: text, ...currency, ...tripSums })),
    totals: Schema.Array(Schema.Struct({ ...currency, ...tripSums }))
  }),
  punctuality: Schema.Struct({
    ...head("punctuality"),
    rows: Schema.Array(Schema.Struct({ ...driver, ...punctualitySums })),
    totals: Schema.Array(Schema.Struct(punctualitySums))
  }),
  drivers: Schema.Struct({
    ...head("drivers"),
    rows: Schema.Array(Schema.Struct({ ...driver, ...workOfOne })),
    totals: Schema.Array(Schema.Struct(workSums))
  }),
  cars: Schema.Struct({
    ...head("cars"),
    rows: Schema.Array(
      Schema.Struct({ car_id: Schema.Int, car_name: Schema.String, plate_number: text, ...workOfOne })
    ),
    totals: Schema.Array(Schema.Struct(workSums))
  }),
  unpaid: Schema.Struct({
    ...head("unpaid"),
    rows: Schema.Array(Schema.Struct({ key: UnpaidAge, ...currency, ...unpaidSums })),
    totals: Schema.Array(Schema.Struct({ ...currency, ...unpaidSums }))
  }),
  taxes: Schema.Struct({
    ...head("taxes"),
    rows: Schema.Array(
      Schema.Struct({ month: Schema.String, name: text, rate: amount, ...currency, ...taxSums })
    ),
    totals: Schema.Array(Schema.Struct({ ...currency, ...taxSums }))
  })
} as const satisfies Record<ReportName, Schema.Top>

/** The report `revenue`. */
export interface RevenueFigures extends Schema.Schema.Type<typeof reports.revenue> {}
/** The report `trips`. */
export interface TripsFigures extends Schema.Schema.Type<typeof reports.trips> {}
/** The report `punctuality`. */
export interface PunctualityFigures extends Schema.Schema.Type<typeof reports.punctuality> {}
/** The report `drivers`. */
export interface DriversFigures extends Schema.Schema.Type<typeof reports.drivers> {}
/** The report `cars`. */
export interface CarsFigures extends Schema.Schema.Type<typeof reports.cars> {}
/** The report `unpaid`. */
export interface UnpaidFigures extends Schema.Schema.Type<typeof reports.unpaid> {}
/** The report `taxes`. */
export interface TaxFigures extends Schema.Schema.Type<typeof reports.taxes> {}

/** A report. Each has an interface of its own, so that declarations name it. */
export type ReportRecord =
  | RevenueFigures
  | TripsFigures
  | PunctualityFigures
  | DriversFigures
  | CarsFigures
  | UnpaidFigures
  | TaxFigures

export const ReportRecord: Schema.Codec<ReportRecord> = Schema.Union([
  reports.revenue,
  reports.trips,
  reports.punctuality,
  reports.drivers,
  reports.cars,
  reports.unpaid,
  reports.taxes
])

/** The names of the columns of a report's rows. */
export const reportColumns = (report: ReportName): ReadonlyArray<string> =>
  Object.keys(reports[report].fields.rows.value.fields)
