/**
 * What `GET /trips` and the dispatch board cost a business of 10,000 trips, and one of 1,000,000: over HTTP, from the
 * built executable on an embedded PostgreSQL of its own, by every combination of filters, page by page and by cursor.
 * Requests to the one and the other take turns, so that whatever else the machine does falls on both.
 *
 *     npm run prepare && npx node --conditions=@livery/source bench/trip-lists.ts [requests] [trips] [paths that hold this]
 */
import { EmbeddedPostgres } from "@livery/persistence"
import { Effect, Redacted } from "effect"
import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { Agent, get } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Caller, populate } from "./trip-lists/Population.ts"
import { quantile, report } from "./webhooks/Figures.ts"

const requests = Number(process.argv[2] ?? 2_500)
const warmUp = 200
const sizes = [10_000, Number(process.argv[3] ?? 1_000_000)] as const
const only = process.argv[4] ?? ""
const executable = join(import.meta.dirname, "..", "packages/cli/bin/livery.js")

const serve = async (directory: string) => {
  const server = spawn(process.execPath, [executable, "serve"], {
    env: {
      ...process.env,
      PORT: "0",
      LIVERY_DATA_DIR: directory,
      DATABASE_URL: "",
      RATE_LIMIT_BUSINESS: "100000000",
      LOG_LEVEL: "error"
    },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const address = await new Promise<string>((resolve, reject) => {
    let said = ""
    server.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString()
      const found = /(http:\S+\/api\/v1)/u.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    })
    server.on("exit", () => reject(new Error("livery stopped before it was ready")))
  })
  const stop = async () => {
    const gone = new Promise((resolve) => server.on("exit", resolve))
    server.kill("SIGTERM")
    await gone
  }
  return { address, stop }
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

interface Answer {
  readonly data: ReadonlyArray<unknown>
  readonly meta: { readonly pagination: { readonly next_cursor?: string } }
}

/** Asks, and tells how long the whole answer took, in milliseconds. */
const ask = (address: string, path: string, { key }: Caller) =>
  new Promise<{ readonly took: number; readonly answer: Answer }>((resolve, reject) => {
    const began = performance.now()
    get(`${address}${path}`, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("error", reject)
      response.on("end", () => {
        const took = performance.now() - began
        const text = Buffer.concat(chunks).toString()
        if (response.statusCode === 200) resolve({ took, answer: JSON.parse(text) as Answer })
        else reject(new Error(`${path}: ${response.statusCode} ${text}`))
      })
    }).on("error", reject)
  })

const median = (values: ReadonlyArray<number>) => quantile(values, 0.5)
const fixed = (value: number) => value.toFixed(2).padStart(8)

/** Times a path for both businesses, by turns; gives the ratio of their p99. */
const compare = async (
  address: string,
  callers: readonly [Caller, Caller],
  name: string,
  pathFor: (caller: Caller) => Promise<string> | string
) => {
  const paths = [await pathFor(callers[0]), await pathFor(callers[1])] as const
  const took: readonly [Array<number>, Array<number>] = [[], []]
  const items: Array<number> = []
  for (let request = -warmUp; request < requests; request++)
    for (const which of request % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const { answer, took: it } = await ask(address, paths[which], callers[which])
      if (request >= 0) took[which].push(it)
      items[which] = answer.data.length
    }
  const [small50, large50] = took.map((it) => quantile(it, 0.5)) as [number, number]
  const [small99, large99] = took.map((it) => quantile(it, 0.99)) as [number, number]
  report(
    `${name.padEnd(44)}${fixed(small50)}${fixed(large50)}${fixed(small99)}${fixed(large99)}` +
      `${fixed(large50 / small50)}${fixed(large99 / small99)}   ${items.join("/")}`
  )
  return large99 / small99
}

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)

/** Every combination of filters; of statuses one that many have and one that few have. */
const combinations = ["", "status=completed", "status=pending"].flatMap((status) =>
  ["", "payment_status=paid"].flatMap((payment) =>
    ["", "filter=upcoming", "filter=previous", `date_from=${day(10)}&date_to=${day(40)}`].map((when) =>
      [status, payment, when].filter((part) => part !== "").join("&")
    )
  )
)

const run = Effect.scoped(
  Effect.gen(function* () {
    const directory = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "livery-bench-"))),
      (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
    )
    const { address } = yield* Effect.acquireRelease(
      Effect.promise(() => serve(directory)),
      ({ stop }) => Effect.promise(stop)
    )
    const { url } = yield* EmbeddedPostgres.open({ directory })
    const database = Redacted.value(url)
    const small = yield* Effect.promise(() => populate(database, directory, sizes[0]))
    const large = yield* Effect.promise(() => populate(database, directory, sizes[1]))
    yield* Effect.promise(async () => {
      const callers = [small, large] as const
      report(`\n${requests} requests of each kind to each business, in milliseconds`)
      report(
        `${"".padEnd(44)}${"p50 10k".padStart(8)}${"p50 1M".padStart(8)}${"p99 10k".padStart(8)}${"p99 1M".padStart(8)}` +
          `${"x p50".padStart(8)}${"x p99".padStart(8)}   items`
      )
      const ratios: Array<number> = []
      for (const filter of combinations.filter((it) => `/trips?${it}`.includes(only)))
        ratios.push(await compare(address, callers, `/trips?${filter}`, () => `/trips?${filter}`))
      if (only === "")
        ratios.push(
          await compare(address, callers, "/trips, by cursor", async (caller) => {
            const { answer } = await ask(address, "/trips?page=200", caller)
            return `/trips?cursor=${answer.meta.pagination.next_cursor ?? ""}`
          })
        )
      for (const path of [
        "/dispatch/trips?per_page=100",
        "/dispatch/trips?per_page=100&status=confirmed",
        `/dispatch/trips?per_page=100&date=${day(1)}`
      ].filter((it) => it.includes(only)))
        ratios.push(await compare(address, callers, path, () => path))
      report(`worst ratio of p99: ${Math.max(...ratios).toFixed(2)}, median ${median(ratios).toFixed(2)}`)
      report(
        "\nPages of the large business alone: the page that is skipped to costs by its number, a cursor does not"
      )
      for (const page of [1, 500, sizes[1] / 20]) {
        const took: Array<number> = []
        for (let request = 0; request < 20; request++)
          took.push((await ask(address, `/trips?page=${page}`, large)).took)
        report(`  page ${String(page).padEnd(8)} p50 ${fixed(median(took))}`)
      }
      let answer = (await ask(address, `/trips?page=${sizes[1] / 20 - 30}`, large)).answer
      const took: Array<number> = []
      while (answer.meta.pagination.next_cursor !== undefined) {
        const next = await ask(address, `/trips?cursor=${answer.meta.pagination.next_cursor}`, large)
        took.push(next.took)
        answer = next.answer
      }
      report(`  its last pages by cursor  p50 ${fixed(median(took))}`)
    })
  })
)

await Effect.runPromise(run)
agent.destroy()
