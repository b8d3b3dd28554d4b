/** What each report shows: its columns, what its rows can be by, and the figure of its chart. */
import { format, locale } from "../../i18n/Language.ts"
import { money } from "../Formats.ts"
import type { ReportsWords } from "./words/en.ts"

/** A row of any report, or a sum of its rows. */
export type Row = Readonly<Record<string, string | number | null | undefined>>

/** A figure of a report: the field of its rows, its name, and how it is written. */
export interface Figure {
  readonly name: string
  readonly label: keyof ReportsWords
  readonly kind: "count" | "money" | "share" | "rate" | "text"
}

/** A report: what its rows are of, what they can be by, their figures, and the figure of the chart. */
export interface ReportKind {
  readonly title: keyof ReportsWords
  readonly by: ReadonlyArray<string>
  /** The heading of the rows if the report is by one thing only. */
  readonly of?: keyof ReportsWords
  readonly figures: ReadonlyArray<Figure>
  readonly chart: string
}

const figure = (kind: Figure["kind"], name: string, label = name): Figure => ({
  kind,
  name,
  label: label as keyof ReportsWords
})
const count = (name: string, label?: string) => figure("count", name, label)
const sum = (name: string, label?: string) => figure("money", name, label)

const useOfTime = [
  count("jobs"),
  count("hours"),
  count("kilometres"),
  count("days_used"),
  figure("share", "use")
]

export const reports = {
  revenue: {
    title: "revenue",
    by: ["day", "month", "customer", "class", "product"],
    figures: [count("documents"), sum("net"), sum("tax"), sum("total", "gross")],
    chart: "net"
  },
  trips: {
    title: "trips",
    by: ["status", "channel"],
    figures: [count("trips"), sum("amount")],
    chart: "trips"
  },
  punctuality: {
    title: "punctuality",
    by: [],
    of: "driver",
    figures: [
      count("jobs"),
      count("reported"),
      count("on_time"),
      count("late_to_5"),
      count("late_to_15"),
      count("late_over_15"),
      count("average_minutes_late")
    ],
    chart: "on_time"
  },
  drivers: { title: "drivers", by: [], of: "driver", figures: useOfTime, chart: "hours" },
  cars: {
    title: "cars",
    by: [],
    of: "car",
    figures: [figure("text", "plate_number", "plate"), ...useOfTime],
    chart: "hours"
  },
  unpaid: {
    title: "unpaid",
    by: [],
    of: "age",
    figures: [count("invoices"), sum("amount")],
    chart: "amount"
  },
  taxes: {
    title: "taxes",
    by: [],
    of: "month",
    figures: [figure("rate", "rate"), sum("taxable"), sum("tax")],
    chart: "tax"
  }
} as const satisfies Readonly<Record<string, ReportKind>>

export type ReportName = keyof typeof reports

export const isReport = (name: string): name is ReportName => Object.hasOwn(reports, name)

const monthName = new Intl.DateTimeFormat(locale, { timeZone: "UTC", month: "long", year: "numeric" })

/** What a row is of, in words. */
export const labelOf = (row: Row, by: string | undefined, words: ReportsWords): string => {
  const key = row["driver_name"] ?? row["car_name"] ?? row["month"] ?? row["label"] ?? row["key"]
  if (key === null || key === undefined) return words.without
  const text = String(key)
  if (by === "customer" || by === "product" || "driver_name" in row || "car_name" in row) return text
  if (/^\d{4}-\d\d-\d\d$/u.test(text)) return format.day(text)
  if (/^\d{4}-\d\d$/u.test(text)) return monthName.format(new Date(`${text}-01T00:00:00Z`))
  return words[text as keyof ReportsWords] ?? text
}

/** A figure of a row, in words. */
export const written = (row: Row, { kind, name }: Figure): string => {
  const value = row[name]
  if (value === null || value === undefined) return ""
  if (typeof value === "string") return value
  if (kind === "money") return money(value, String(row["currency"]))
  if (kind === "share") return format.percent(value * 100)
  if (kind !== "rate") return format.number(value)
  const tax = row["name"]
  return [...(typeof tax === "string" ? [tax] : []), format.percent(value)].join(" ")
}
