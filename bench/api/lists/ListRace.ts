/**
 * Measures whether a list costs as much in a large business as in a small one. Requests to both alternate over one
 * connection, so that other work on the machine affects both equally.
 */
import { Agent, request as send } from "node:http"
import { quantile, report } from "../../webhooks/Figures.ts"
import { table } from "../Report.ts"
import type { Grown } from "./Growth.ts"
import { type List, lists } from "./Lists.ts"
import { platformLists } from "./PlatformLists.ts"
import type { Platform } from "./Platforms.ts"
import { signIn } from "./SignIn.ts"

/** The options of a measurement. */
export interface ListOptions {
  /** Requests to each side for each list. */
  readonly requests: number
  /** A part of the names of the lists to measure. */
  readonly only: string | undefined
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

interface Body {
  readonly data: ReadonlyArray<unknown> | { readonly events: ReadonlyArray<unknown> }
  readonly meta: { readonly pagination?: { readonly next_cursor?: string } }
}

type Headers = Readonly<Record<string, string>>

/** Asks; `took` is how long the whole response took, in milliseconds. */
const ask = (address: string, headers: Headers, body?: object) =>
  new Promise<{ readonly took: number; readonly body: Body }>((resolve, reject) => {
    const began = performance.now()
    const method = body === undefined ? "GET" : "POST"
    const typed = body === undefined ? headers : { ...headers, "content-type": "application/json" }
    const sent = send(address, { agent, headers: typed, method }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("error", reject)
      response.on("end", () => {
        const took = performance.now() - began
        const text = Buffer.concat(chunks).toString()
        if (response.statusCode === 200 || response.statusCode === 201)
          resolve({ took, body: JSON.parse(text) as Body })
        else reject(new Error(`${address}: ${response.statusCode} ${text}`))
      })
    }).on("error", reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })

/** How many items a page has; 1 for a record. */
const itemsIn = ({ data }: Body) => {
  if (Array.isArray(data)) return data.length
  return "events" in data ? data.events.length : 1
}

const headersOf = async (api: string, { by }: List, grown: Grown): Promise<Headers> => {
  switch (by) {
    case "business":
      return { authorization: `Bearer ${grown.key}` }
    case "on the road":
      return { authorization: `Bearer ${grown.onTheRoad.key}` }
    case "person":
      return {
        authorization: `Bearer ${await signIn(api)}`,
        "x-business-id": String(grown.businessId)
      }
  }
}

const warmUp = (requests: number) => Math.max(20, Math.round(requests / 10))

/** No list is measured for longer than this, however slow it is; its p99 is then of fewer requests. */
const timeoutMillis = 12_000

/** A request that is sent over and over. */
interface Prepared {
  readonly address: string
  readonly headers: Headers
}

/** A list, with its request on the small side and on the large one. */
interface Compared {
  readonly name: string
  readonly body?: object | undefined
  readonly prepare: () => Promise<readonly [Prepared, Prepared]>
}

const prepare = async (api: string, list: List, grown: Grown): Promise<Prepared> => {
  const headers = await headersOf(api, list, grown)
  const path = list.path(grown)
  if (list.after === undefined) return { address: api + path, headers }
  const { body } = await ask(api + list.after, headers)
  const cursor = body.meta.pagination?.next_cursor
  if (cursor === undefined) throw new Error(`${list.after} has no next_cursor`)
  return { address: `${api}${path}?cursor=${cursor}`, headers }
}

/** The durations of both, and the ratio of their p99; undefined if their pages have different numbers of items. */
const compare = async (list: Compared, requests: number) => {
  const prepared = await list.prepare()
  const items = await Promise.all(
    prepared.map(async ({ address, headers }) => itemsIn((await ask(address, headers, list.body)).body))
  )
  if (items[0] !== items[1]) return undefined
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
    row: [list.name, ...figures.map((figure) => figure.toFixed(2)), String(items[0]), String(took[0].length)],
    ratio: large99 / small99
  }
}

/** Measures the lists, and prints a table. */
const compareAll = async (
  all: ReadonlyArray<Compared>,
  sizes: readonly [{ readonly rows: number }, { readonly rows: number }],
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
    report(`\nNot measured, because the pages do not have as many items: ${unequal.join(", ")}`)
  report(
    `\np99: worst ${Math.max(...ratios).toFixed(2)} times, median ${quantile(ratios, 0.5).toFixed(2)} times`
  )
}

/** Measures every list of a business on `api`, for two businesses. */
export const compareLists = (
  api: string,
  sizes: readonly [Grown, Grown],
  options: ListOptions
): Promise<void> =>
  compareAll(
    lists.map((list) => ({
      name: list.name,
      body: list.body,
      prepare: async () => [await prepare(api, list, sizes[0]), await prepare(api, list, sizes[1])]
    })),
    sizes,
    options
  )

/** Measures every list of super-admins, on two platforms. */
export const comparePlatformLists = (
  platforms: readonly [Platform, Platform],
  options: ListOptions
): Promise<void> => {
  const asAdmin = async ({ api }: Platform, name: string): Promise<Prepared> => ({
    address: api + name,
    headers: { authorization: `Bearer ${await signIn(api)}` }
  })
  return compareAll(
    platformLists.map((name) => ({
      name,
      prepare: async () => [await asAdmin(platforms[0], name), await asAdmin(platforms[1], name)]
    })),
    platforms,
    options
  )
}
