/** The reports of a business: figures of a time on its clock, with their sums (docs/api/reports.md). */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { refuseIssues } from "../kernel/Errors.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import type { Currency } from "../kernel/money/Currency.ts"
import { toMajorOrNull } from "../kernel/money/Money.ts"
import { endOfDay, localDay, startOfDay } from "../kernel/time/WallClock.ts"
import { traced } from "../kernel/TracedFunction.ts"
import {
  maxReportDays,
  type ReportName,
  type ReportQuery,
  type ReportRecord,
  RevenueGroup,
  TripGroup,
  UnpaidAge
} from "./Report.ts"
import { monthsOf, readMonths } from "./Months.ts"
import { ReportRepository, type PunctualityRow, type WorkRow } from "./ReportRepository.ts"
import { inOrder, major } from "./Rows.ts"
import { makeTaxes } from "./Taxes.ts"

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1

const round = (value: number, digits: number) => Number(value.toFixed(digits))

const sum = <A>(rows: ReadonlyArray<A>, value: (row: A) => number) =>
  rows.reduce((total, row) => total + value(row), 0)

/** The rows of each currency, in the order of the codes. */
const byCurrency = <A extends { readonly currency: string }>(rows: ReadonlyArray<A>) =>
  [...new Set(rows.map(({ currency }) => currency))]
    .toSorted()
    .map((currency) => [currency as Currency, rows.filter((row) => row.currency === currency)] as const)

/** The sum of amounts, some of which are not known; null if none is. */
const sumOrNull = <A>(rows: ReadonlyArray<A>, value: (row: A) => number | null) =>
  rows.every((row) => value(row) === null) ? null : sum(rows, (row) => value(row) ?? 0)

const workOf = ({ jobs, metres, work_ms }: Omit<WorkRow, "days_used">) => ({
  jobs,
  hours: round(work_ms / 3_600_000, 2),
  kilometres: round(metres / 1000, 1)
})

const worked = ["jobs", "work_ms", "metres", "days_used"] as const

const workTotals = (rows: ReadonlyArray<WorkRow>) => [
  workOf({
    jobs: sum(rows, ({ jobs }) => jobs),
    metres: sum(rows, ({ metres }) => metres),
    work_ms: sum(rows, ({ work_ms }) => work_ms)
  })
]

const counted = ["jobs", "reported", "on_time", "late_to_5", "late_to_15", "late_over_15"] as const

const punctualityOf = (row: Omit<PunctualityRow, "driver_id" | "driver_name">) => {
  const { jobs, late_ms, late_over_15, late_to_15, late_to_5, on_time, reported } = row
  const average_minutes_late = reported === 0 ? null : round(late_ms / reported / 60_000, 1)
  return { jobs, reported, on_time, late_to_5, late_to_15, late_over_15, average_minutes_late }
}

export class Reports extends Context.Service<Reports>()("@livery/domain/Reports", {
  make: Effect.gen(function* () {
    const repository = yield* ReportRepository
    const readTaxes = yield* makeTaxes

    return {
      /**
       * A report of the acting business from the first to the last day; default: this month until today, and all days for `unpaid`.
       * `InvalidInput` for a last day before the first, more than 366 days, or a grouping that the report does not have.
       */
      read: traced("Reports.read")(function* (
        { business_id, timezone }: ActingBusiness,
        report: ReportName,
        query: ReportQuery
      ) {
        const now = yield* DateTime.now
        const today = localDay(now, timezone)
        const to = query.to?.trim() ?? today
        const from = query.from?.trim() ?? `${to.slice(0, 7)}-01`
        const groups: ReadonlyArray<string> =
          report === "revenue" ? RevenueGroup.literals : report === "trips" ? TripGroup.literals : []
        const days = daysBetween(from, to)
        const issues: ReadonlyArray<FieldIssue> = [
          ...(days < 1 || (days > maxReportDays && report !== "unpaid")
            ? [{ field: "to", issue: "out_of_range" } as const]
            : []),
          ...(query.by === undefined || groups.includes(query.by)
            ? []
            : [{ field: "by", issue: "invalid" } as const])
        ]
        yield* refuseIssues(issues)
        const head = { from, to, timezone }
        // Open invoices are read whatever their day is.
        const months = report === "unpaid" ? [] : monthsOf(from, to, timezone)
        const time = { from: startOfDay(from, timezone), before: endOfDay(to, timezone), timezone }
        const useOf = ({ days_used }: WorkRow) => ({ days_used, use: round(days_used / days, 3) })

        const read: Record<ReportName, Effect.Effect<ReportRecord>> = {
          revenue: Effect.gen(function* () {
            const by = RevenueGroup.literals.find((group) => group === query.by) ?? "day"
            const rows = yield* readMonths(months, (month) => repository.revenue(business_id, month, by), [
              "documents",
              "net_minor",
              "tax_minor",
              "total_minor"
            ])
            const moneyOf = (
              { documents, net_minor, tax_minor, total_minor }: Omit<(typeof rows)[number], "key" | "label">,
              currency: string
            ) => ({
              documents,
              net: major(net_minor, currency),
              tax: toMajorOrNull(tax_minor, currency as Currency),
              total: toMajorOrNull(total_minor, currency as Currency)
            })
            return {
              report: "revenue",
              by,
              ...head,
              rows: inOrder(
                rows,
                ({ currency, key, label }) => `${label ?? "\uffff"}/${key}/${currency}`
              ).map(({ currency, key, label, ...money }) => ({
                key,
                label,
                currency,
                ...moneyOf({ ...money, currency }, currency)
              })),
              totals: byCurrency(rows).map(([currency, own]) => ({
                currency,
                ...moneyOf(
                  {
                    currency,
                    documents: sum(own, ({ documents }) => documents),
                    net_minor: sum(own, ({ net_minor }) => net_minor),
                    tax_minor: sumOrNull(own, ({ tax_minor }) => tax_minor),
                    total_minor: sumOrNull(own, ({ total_minor }) => total_minor)
                  },
                  currency
                )
              }))
            }
          }),
          trips: Effect.gen(function* () {
            const by = TripGroup.literals.find((group) => group === query.by) ?? "status"
            const rows = yield* readMonths(months, (month) => repository.trips(business_id, month, by), [
              "trips",
              "amount_minor"
            ])
            return {
              report: "trips",
              by,
              ...head,
              rows: inOrder(rows, ({ currency, key }) => `${key ?? "\uffff"}/${currency}`).map(
                ({ amount_minor, currency, key, trips }) => ({
                  key,
                  currency,
                  trips,
                  amount: major(amount_minor, currency)
                })
              ),
              totals: byCurrency(rows).map(([currency, own]) => ({
                currency,
                trips: sum(own, ({ trips }) => trips),
                amount: major(
                  sum(own, ({ amount_minor }) => amount_minor),
                  currency
                )
              }))
            }
          }),
          punctuality: Effect.gen(function* () {
            const rows = yield* readMonths(months, (month) => repository.punctuality(business_id, month), [
              ...counted,
              "late_ms"
            ])
            const total = Object.fromEntries(
              [...counted, "late_ms" as const].map((field) => [field, sum(rows, (row) => row[field])])
            ) as Record<(typeof counted)[number] | "late_ms", number>
            return {
              report: "punctuality",
              ...head,
              rows: inOrder(rows, ({ driver_id, driver_name }) => `${driver_name}/${driver_id}`).map(
                (row) => ({
                  driver_id: row.driver_id,
                  driver_name: row.driver_name,
                  ...punctualityOf(row)
                })
              ),
              totals: [punctualityOf(total)]
            }
          }),
          drivers: Effect.gen(function* () {
            const rows = yield* readMonths(months, (month) => repository.drivers(business_id, month), worked)
            return {
              report: "drivers",
              ...head,
              rows: inOrder(rows, ({ driver_id, driver_name }) => `${driver_name}/${driver_id}`).map(
                (row) => ({
                  driver_id: row.driver_id,
                  driver_name: row.driver_name,
                  ...workOf(row),
                  ...useOf(row)
                })
              ),
              totals: workTotals(rows)
            }
          }),
          cars: Effect.gen(function* () {
            const rows = yield* readMonths(months, (month) => repository.cars(business_id, month), worked)
            return {
              report: "cars",
              ...head,
              rows: inOrder(rows, ({ car_id, car_name }) => `${car_name}/${car_id}`).map((row) => ({
                car_id: row.car_id,
                car_name: row.car_name,
                plate_number: row.plate_number,
                ...workOf(row),
                ...useOf(row)
              })),
              totals: workTotals(rows)
            }
          }),
          unpaid: Effect.gen(function* () {
            const bounds = {
              timezone,
              ...(query.from === undefined ? {} : { from: time.from }),
              ...(query.to === undefined ? {} : { before: time.before })
            }
            const rows = yield* repository.unpaid(business_id, bounds, today)
            const age = ({ key }: { readonly key: UnpaidAge }) => String(UnpaidAge.literals.indexOf(key))
            return {
              report: "unpaid",
              from: query.from === undefined ? null : from,
              to: query.to === undefined ? null : to,
              timezone,
              rows: inOrder(rows, (row) => `${age(row)}/${row.currency}`).map(
                ({ amount_minor, currency, invoices, key }) => ({
                  key,
                  currency,
                  invoices,
                  amount: major(amount_minor, currency)
                })
              ),
              totals: byCurrency(rows).map(([currency, own]) => ({
                currency,
                invoices: sum(own, ({ invoices }) => invoices),
                amount: major(
                  sum(own, ({ amount_minor }) => amount_minor),
                  currency
                )
              }))
            }
          }),
          taxes: Effect.map(readTaxes(business_id, months), (figures) => ({
            report: "taxes",
            ...head,
            ...figures
          }))
        }
        return yield* read[report]
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Reports, Reports.make)
}
