/** The figures as Markdown tables. */
import { quantile } from "../webhooks/Figures.ts"
import type { Compared } from "./Comparison.ts"

type Row = ReadonlyArray<string>

/** A Markdown table with aligned columns; the first column to the left, the others to the right. */
export const table = (head: Row, rows: ReadonlyArray<Row>): string => {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => (row[column] ?? "").length))
  )
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  const line = (row: Row) => `| ${row.map(pad).join(" | ")} |`
  const rule = `| ${widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`
  return [line(head), rule, ...rows.map(line)].join("\n")
}

const whole = (value: number) => Math.round(value).toLocaleString("en")
const hundredths = (value: number) => value.toFixed(2)

/** The median of ratios, with the lowest and the highest. */
const rangeOf = (ratios: ReadonlyArray<number>) =>
  `${hundredths(quantile(ratios, 0.5))} (${hundredths(Math.min(...ratios))} to ${hundredths(Math.max(...ratios))})`

/** Rows of requests a second, latencies and processor time, Livery's figure before the peer's. */
export const comparisons = (compared: ReadonlyArray<Compared>): string =>
  table(
    [
      "Livery / peer",
      "conn.",
      "requests a second",
      "ratio (lowest to highest)",
      "p50, ms",
      "p99, ms",
      "ratio of p99",
      "Node, µs",
      "PostgreSQL, µs"
    ],
    compared.map(({ connections, livery, p99Ratios, peer, ratios, route }) => [
      route,
      String(connections),
      `${whole(livery.rate)} / ${whole(peer.rate)}`,
      rangeOf(ratios),
      `${hundredths(livery.p50)} / ${hundredths(peer.p50)}`,
      `${hundredths(livery.p99)} / ${hundredths(peer.p99)}`,
      rangeOf(p99Ratios),
      `${whole(livery.server)} / ${whole(peer.server)}`,
      `${whole(livery.database)} / ${whole(peer.database)}`
    ])
  )
