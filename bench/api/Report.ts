/** The figures as Markdown tables. */
import { quantile } from "../webhooks/Figures.ts"
import type { Compared } from "./Comparison.ts"
import { medianBounds } from "./MedianBounds.ts"

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

/** The median of ratios, with its bounds. */
const boundedMedian = (ratios: ReadonlyArray<number>) => {
  const bounds = medianBounds(ratios)?.map(hundredths).join(" to ")
  return `${hundredths(quantile(ratios, 0.5))}${bounds === undefined ? "" : ` (${bounds})`}`
}

/** Rows of requests a second, latencies and processor time, Livery's figure before the peer's. */
export const comparisons = (compared: ReadonlyArray<Compared>): string =>
  table(
    [
      "Livery / peer",
      "conn.",
      "requests a second",
      "ratio (5 % to 95 %)",
      "p50, ms",
      "p99, ms",
      "ratio of p99 (5 % to 95 %)",
      "Node, µs",
      "PostgreSQL, µs"
    ],
    compared.map(({ connections, livery, p99Ratios, peer, ratios, route }) => [
      route,
      String(connections),
      `${whole(livery.rate)} / ${whole(peer.rate)}`,
      boundedMedian(ratios),
      `${hundredths(livery.p50)} / ${hundredths(peer.p50)}`,
      `${hundredths(livery.p99)} / ${hundredths(peer.p99)}`,
      boundedMedian(p99Ratios),
      `${whole(livery.server)} / ${whole(peer.server)}`,
      `${whole(livery.database)} / ${whole(peer.database)}`
    ])
  )

/** In how many rows Livery has fewer requests than the peer or a higher p99, by the medians of the ratios and by their bounds. */
export const summary = (compared: ReadonlyArray<Compared>): string => {
  const count = (isMeant: (row: Compared) => boolean) => compared.filter(isMeant).length
  const isSurelyFewer = ({ ratios }: Compared) => (medianBounds(ratios)?.[1] ?? 1) < 1
  const isSurelySlower = ({ p99Ratios }: Compared) => (medianBounds(p99Ratios)?.[0] ?? 1) > 1
  return [
    `${compared.length} rows. Fewer requests than the peer in ${count(({ ratios }) => quantile(ratios, 0.5) < 1)}, with a probability of 95 % in ${count(isSurelyFewer)}.`,
    `A higher p99 in ${count(({ p99Ratios }) => quantile(p99Ratios, 0.5) > 1)}, with a probability of 95 % in ${count(isSurelySlower)}.`
  ].join("\n")
}
