/** Reports are read a month at a time: a large business has no more in one statement and in memory than a month has. */
import { Effect } from "effect"
import { endOfDay, startOfDay } from "../kernel/time/WallClock.ts"
import type { ReportTime } from "./ReportRepository.ts"

/** The days of a month that a report has. */
export interface ReportMonth extends ReportTime {
  readonly month: string
}

/** The months of the days from `from` to `to`, both included. */
export const monthsOf = (from: string, to: string, timezone: string): ReadonlyArray<ReportMonth> => {
  const [year = 0, month = 0] = from.split("-").map(Number)
  const [lastYear = 0, lastMonth = 0] = to.split("-").map(Number)
  return Array.from({ length: (lastYear - year) * 12 + lastMonth - month + 1 }, (_, index) => {
    const day = (months: number, date: number) =>
      new Date(Date.UTC(year, month - 1 + index + months, date)).toISOString().slice(0, 10)
    const [first, last] = [day(0, 1), day(1, 0)]
    return {
      month: first.slice(0, 7),
      from: startOfDay(first < from ? from : first, timezone),
      before: endOfDay(last > to ? to : last, timezone),
      timezone
    }
  })
}

/** Adds up the `sums` of the rows that are equal but for them. An amount that is not known in any of them stays null. */
const added = <Row extends object>(
  rows: ReadonlyArray<Row>,
  sums: ReadonlyArray<keyof Row & string>
): ReadonlyArray<Row> => {
  const keyOf = (row: Row) =>
    JSON.stringify(row, (name, value: unknown) => (sums.some((sum) => sum === name) ? 0 : value))
  return [...Map.groupBy(rows, keyOf).values()].map((group) =>
    group.reduce((total, row) => ({
      ...total,
      ...Object.fromEntries(
        sums.map((sum) => [
          sum,
          total[sum] === null && row[sum] === null ? null : Number(total[sum]) + Number(row[sum])
        ])
      )
    }))
  )
}

/** Reads the rows of each month, and adds them up. */
export const readMonths = <Row extends object>(
  months: ReadonlyArray<ReportMonth>,
  read: (time: ReportTime) => Effect.Effect<ReadonlyArray<Row>>,
  sums: ReadonlyArray<keyof Row & string>
): Effect.Effect<ReadonlyArray<Row>> =>
  Effect.map(Effect.forEach(months, read), (rows) => added(rows.flat(), sums))
