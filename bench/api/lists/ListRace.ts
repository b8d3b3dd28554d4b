/**
 * Measures whether a list costs as much in a large business as in a small one. Requests to both alternate over one
 * connection, so that other work on the machine affects both equally.
 */
import { quantile, report } from "../../webhooks/Figures.ts"
import { table } from "../Report.ts"
import { agent, ask, type Compared, itemsIn, type Prepared } from "./Requests.ts"

/** The options of a measurement. */
export interface ListOptions {
  /** Requests to each side for each list. */
  readonly requests: number
  /** A part of the names of the lists to measure. */
  readonly only: string | undefined
}

/** The numbers of rows of the small side and of the large one. */
export type Sizes = readonly [{ readonly rows: number }, { readonly rows: number }]

const warmUp = (requests: number) => Math.max(20, Math.round(requests / 10))

/** No list is measured for longer than this, however slow it is; its p99 is then of fewer requests. */
const timeoutMillis = 12_000

const itemsOf = ({ body }: Compared, prepared: ReadonlyArray<Prepared>) =>
  Promise.all(prepared.map(async ({ address, headers }) => itemsIn((await ask(address, headers, body)).body)))

const withItems = (prepared: Prepared, items: number): Prepared => ({
  ...prepared,
  address: `${prepared.address}${prepared.address.includes("?") ? "&" : "?"}per_page=${items}`
})

/**
 * Requests for pages with the same number of items: that of the shorter page, if they differ. Undefined if only one side
 * has items, or the list has no `per_page`.
 */
const comparable = async (list: Compared) => {
  const prepared = await list.prepare()
  const [small = 0, large = 0] = await itemsOf(list, prepared)
  if (small === large) return { prepared, items: small }
  const items = Math.min(small, large)
  if (items === 0) return undefined
  const shortened = [withItems(prepared[0], items), withItems(prepared[1], items)] as const
  return (await itemsOf(list, shortened)).every((each) => each === items)
    ? { prepared: shortened, items }
    : undefined
}

/** The durations of both, and the ratio of their p99; undefined if their pages cannot have the same number of items. */
const compare = async (list: Compared, requests: number) => {
  const found = await comparable(list)
  if (found === undefined) return undefined
  const { items, prepared } = found
  const took: readonly [Array<number>, Array<number>] = [[], []]
  const began = performance.now()
  const lasted = () => performance.now() - began
  for (let request = -warmUp(requests); request < requests && lasted() < timeoutMillis; request++) {
    if (request < 0 && lasted() > timeoutMillis / 4) request = 0
    for (const which of request % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const answered = await ask(prepared[which].address, prepared[which].headers, list.body)
      if (request >= 0) took[which].push(answered.took)
    }
  }
  const [small50 = 0, large50 = 0] = took.map((times) => quantile(times, 0.5))
  const [small99 = 0, large99 = 0] = took.map((times) => quantile(times, 0.99))
  const figures = [small50, large50, large50 / small50, small99, large99, large99 / small99]
  return {
    row: [list.name, ...figures.map((figure) => figure.toFixed(2)), String(items), String(took[0].length)],
    ratio: large99 / small99
  }
}

/** Measures the lists, and prints a table. */
export const compareLists = async (
  all: ReadonlyArray<Compared>,
  sizes: Sizes,
  { only, requests }: ListOptions
) => {
  const rows: Array<ReadonlyArray<string>> = []
  const ratios: Array<number> = []
  const unequal: Array<string> = []
  for (const list of all.filter(({ name }) => name.includes(only ?? ""))) {
    const compared = await compare(list, requests)
    if (compared === undefined) unequal.push(list.name)
    else {
      rows.push(compared.row)
      ratios.push(compared.ratio)
      process.stderr.write(`${list.name}: ${compared.ratio.toFixed(2)}\n`)
    }
  }
  agent.destroy()
  const [small, large] = sizes.map((size) => size.rows.toLocaleString("en"))
  report(`\n${requests} requests of each to each side, in milliseconds`)
  report(
    `\n${table(
      [
        "List",
        `p50, ${small}`,
        `p50, ${large}`,
        "times",
        `p99, ${small}`,
        `p99, ${large}`,
        "times",
        "items",
        "requests"
      ],
      rows
    )}`
  )
  if (unequal.length > 0)
    report(`\nNot measured, because the pages cannot have the same number of items: ${unequal.join(", ")}`)
  report(
    `\np99: worst ${Math.max(...ratios).toFixed(2)} times, median ${quantile(ratios, 0.5).toFixed(2)} times`
  )
}
