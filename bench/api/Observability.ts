/**
 * The cost of observation: servers of Livery that do the same with everything off and with logs, metrics and traces on,
 * by turns on the same requests. Metrics are scraped and traces are taken by this process, whose time is not counted.
 */
import { createServer } from "node:http"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { quantile, report } from "../webhooks/Figures.ts"
import type { Bed } from "./Bed.ts"
import type { LoadSchedule } from "./Comparison.ts"
import { load, prepareLoad } from "./Load.ts"
import { table } from "./Report.ts"
import { makeRoutes } from "./Routes.ts"
import { commonSettings } from "./RoutesRace.ts"
import { type Server, startLivery } from "./Servers.ts"
import { stopwatch } from "./Usage.ts"

/** A variant of the settings. */
interface Variant {
  readonly name: string
  readonly settings: Readonly<Record<string, string>>
  readonly isScraped: boolean
}

/** How often metrics are read: Prometheus reads them every 15 s to 60 s. */
const scrapeMillis = 5_000

const connections = 16

const variants = (collector: string): ReadonlyArray<Variant> => {
  const traced = (share: string) => ({
    LOG_LEVEL: "info",
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector}/v1/traces`,
    OTEL_TRACES_SAMPLER: "traceidratio",
    OTEL_TRACES_SAMPLER_ARG: share
  })
  const exported = { OTEL_EXPORTER_OTLP_ENDPOINT: collector }
  return [
    { name: "all off", settings: { LOG_LEVEL: "error" }, isScraped: false },
    { name: "logs, metrics", settings: { LOG_LEVEL: "info" }, isScraped: true },
    { name: "and traces of 1 %", settings: traced("0.01"), isScraped: true },
    {
      name: "and logs, metrics by OTLP",
      settings: { ...traced("0.01"), ...exported },
      isScraped: true
    },
    { name: "and all traces", settings: traced("1"), isScraped: true }
  ]
}

/** A collector that reads what it gets, and counts it. */
const openCollector = async () => {
  let bytes = 0
  const server = createServer((request, response) => {
    request.on("data", (chunk: Buffer) => (bytes += chunk.length))
    request.on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The collector does not listen")
  return { address: `http://127.0.0.1:${address.port}`, bytes: () => bytes, close: () => server.close() }
}

const scraping = async ({ port }: Server, during: Promise<unknown>) => {
  const end = new AbortController()
  const over = during.finally(() => end.abort())
  while (!end.signal.aborted) {
    await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    await Promise.race([pause(scrapeMillis), over])
  }
}

const turn = async (server: Server, { isScraped }: Variant, file: string, seconds: number) => {
  const used = stopwatch([server.pid])
  const loading = load(server.port, file, connections, seconds)
  if (isScraped) await scraping(server, loading)
  const { requests } = await loading
  return used() / requests
}

/** Measures the routes whose names contain `only`. */
export const measureObservability = async (
  bed: Bed,
  only: string | undefined,
  { rounds, seconds }: LoadSchedule
) => {
  const collector = await openCollector()
  const all: Array<{ readonly variant: Variant; readonly server: Server }> = []
  try {
    for (const variant of variants(collector.address))
      all.push({
        variant,
        server: await startLivery({
          environment: { ...commonSettings(bed), DATABASE_URL: "", ...variant.settings },
          log: join(bed.directory, `${all.length}.log`)
        })
      })
    const wanted = new Set(["GET /trips", "GET /trips/{id}", "POST /trips"])
    const rows: Array<ReadonlyArray<string>> = []
    for (const { name, requests } of await makeRoutes(bed)) {
      if (!wanted.has(name) || !name.includes(only ?? "")) continue
      const file = join(bed.directory, "bench", "observed.lua")
      await prepareLoad(file, requests)
      // V8 optimizes for some seconds.
      for (const { server, variant } of all) await turn(server, variant, file, 3 * seconds)
      const samples = all.map((): Array<number> => [])
      for (let round = 0; round < rounds; round++)
        for (let place = 0; place < all.length; place++) {
          // Each round begins with another one.
          const index = (place + round) % all.length
          const each = all[index]
          if (each !== undefined) samples[index]?.push(await turn(each.server, each.variant, file, seconds))
          await pause(100)
        }
      const low = samples.map((each) => quantile(each, 0.25))
      const off = low[0] ?? Number.NaN
      rows.push([
        name,
        ...low.map((micros, index) => {
          const least = Math.min(...(samples[index] ?? [])).toFixed(0)
          return `${micros.toFixed(0)} (${((micros / off - 1) * 100).toFixed(0)} %), ${least}`
        })
      ])
    }
    report(
      `\nProcessor time of Node per request in µs: the lower quartile of the turns, how much more that is than with all off,\nand the lowest\n\n${table(
        ["16 connections", ...all.map(({ variant }) => variant.name)],
        rows
      )}\n\n${(collector.bytes() / 1024 ** 2).toFixed(0)} MiB of traces, logs and metrics were sent.`
    )
  } finally {
    for (const { server } of all) await server.stop()
    collector.close()
  }
}
