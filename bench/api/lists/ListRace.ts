/**
 * Measures whether a list costs as much in a large business as in a small one. Requests to both alternate over one
 * connection, so that other work on the machine affects both equally.
 */
import { quantile, report } from "../../webhooks/Figures.ts"
import { table } from "../Report.ts"
import { ratioInterval } from "./RatioInterval.ts"
import { agent, ask, type Compared, itemsIn, type Prepared } from "./Requests.ts"

/** The options of a measurement. */
export interface ListOptions {
  /** Requests to each side for each list. If their p99 is not as wanted, {@link repeats} and {@link moreRepeats} follow. */
  readonly requests: number
  /** A part of the names of the lists to measure. */
  readonly only: string | undefined
}

/** The numbers of rows of the small side and of the large one. */
export type Sizes = readonly [{ readonly rows: number }, { readonly rows: number }]

const warmUp = (requests: number) => Math.max(20, Math.round(requests / 10))

/** No list is requested for longer than this in one go, however slow it is; its p99 is then of fewer requests. */
const timeoutMillis = 12_000

/** How often the requests of a list are sent again if their p99 is not as wanted. A p99 of more requests is more exact. */
const repeats = 3

/** How often they are sent again at most if p99 is still not as wanted: until it is known whether it is, see {@link isKnown}. */
const moreRepeats = 12

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

/** The most that a large list may take, in times of the small one. */
const wanted = 1.2

/** Whether p99 is above what is wanted with a probability of 95 %, or below it. */
const isKnown = ([low, high]: readonly [number, number]) => low > wanted || high <= wanted

/** The durations of both, and the ratios of their quantiles; undefined if their pages cannot have the same number of items. */
const compare = async (list: Compared, requests: number) => {
  const found = await comparable(list)
  if (found === undefined) return undefined
  const { items, prepared } = found
  const took: readonly [Array<number>, Array<number>] = [[], []]
  const measure = async () => {
    const began = performance.now()
    const lasted = () => performance.now() - began
    for (let request = -warmUp(requests); request < requests && lasted() < timeoutMillis; request++) {
      if (request < 0 && lasted() > timeoutMillis / 4) request = 0
      for (const which of request % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const answered = await ask(prepared[which].address, prepared[which].headers, list.body)
        if (request >= 0) took[which].push(answered.took)
      }
    }
  }
  const isAsWanted = () => quantile(took[1], 0.99) <= wanted * quantile(took[0], 0.99)
  await measure()
  const isAsWantedAtFirst = isAsWanted()
  if (!isAsWantedAtFirst) for (let repeat = 0; repeat < repeats; repeat++) await measure()
  if (!isAsWanted())
    for (let repeat = 0; repeat < moreRepeats; repeat++) {
      if (isKnown(ratioInterval(took[1], took[0], 0.99))) break
      await measure()
    }
  const [small50 = 0, large50 = 0] = took.map((times) => quantile(times, 0.5))
  const [small99 = 0, large99 = 0] = took.map((times) => quantile(times, 0.99))
  const p99 = { ratio: large99 / small99, interval: ratioInterval(took[1], took[0], 0.99) }
  const figures = [small50, large50, large50 / small50, small99, large99, p99.ratio]
  const interval = p99.interval.map((bound) => bound.toFixed(2)).join(" to ")
  return {
    row: [
      list.name,
      ...figures.map((figure) => figure.toFixed(2)),
      interval,
      String(items),
      String(took[0].length)
    ],
    p50: large50 / small50,
    p99,
    isAsWantedAtFirst
  }
}

type Measured = NonNullable<Awaited<ReturnType<typeof compare>>>

/** Measures the lists, and prints a table. */
export const compareLists = async (
  all: ReadonlyArray<Compared>,
  sizes: Sizes,
  { only, requests }: ListOptions
) => {
  const rows: Array<ReadonlyArray<string>> = []
  const all99: Array<Measured["p99"]> = []
  const all50: Array<number> = []
  let asWantedAtFirst = 0
  const unequal: Array<string> = []
  for (const list of all.filter(({ name }) => name.includes(only ?? ""))) {
    const compared = await compare(list, requests)
    if (compared === undefined) unequal.push(list.name)
    else {
      rows.push(compared.row)
      all50.push(compared.p50)
      if (compared.isAsWantedAtFirst) asWantedAtFirst++
      all99.push(compared.p99)
      process.stderr.write(`${list.name}: ${compared.p99.ratio.toFixed(2)}\n`)
    }
  }
  agent.destroy()
  const [small, large] = sizes.map((size) => size.rows.toLocaleString("en"))
  report(
    `\n${requests} requests of each to each side, ${(1 + repeats) * requests} or up to ${(1 + repeats + moreRepeats) * requests}, in milliseconds`
  )
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
        "5 % to 95 %",
        "items",
        "requests"
      ],
      rows
    )}`
  )
  if (unequal.length > 0)
    report(`\nNot measured, because the pages cannot have the same number of items: ${unequal.join(", ")}`)
  const ratios = all99.map(({ ratio }) => ratio)
  const count = (values: ReadonlyArray<number>, isMeant: (value: number) => boolean) =>
    values.filter(isMeant).length
  const isWanted = (ratio: number) => ratio <= wanted
  report(
    [
      `\n${rows.length} lists. At most ${wanted} times: p50 in ${count(all50, isWanted)}, p99 in ${count(ratios, isWanted)}, and in ${asWantedAtFirst} by the first ${requests} requests.`,
      `p99 above that with a probability of 95 %: ${all99.filter(({ interval: [low] }) => low > wanted).length}.`,
      `p99: worst ${Math.max(...ratios).toFixed(2)} times, median ${quantile(ratios, 0.5).toFixed(2)} times.`
    ].join("\n")
  )
}
