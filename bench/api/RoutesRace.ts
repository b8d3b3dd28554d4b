/** Every route on both servers: first checks that both do the same, then measures them. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { quantile, report } from "../webhooks/Figures.ts"
import { type Bed, openApiOf } from "./Bed.ts"
import { compare, type Compared, type LoadSchedule, warmUp } from "./Comparison.ts"
import { prepareLoad } from "./Load.ts"
import { reportPauses } from "./Pauses.ts"
import { makeProbes } from "./Probes.ts"
import { comparisons, summary, table } from "./Report.ts"
import { makeRoutes } from "./Routes.ts"
import { differences } from "./SelfCheck.ts"
import { type Server, startLivery, startPeer } from "./Servers.ts"
import { residentNow, residentPeak } from "./Usage.ts"

/** The options of a comparison. */
export interface RaceOptions {
  /** One node of each, with rate counters in memory; or several, which share their counters in PostgreSQL. */
  readonly nodes: number
  readonly connections: ReadonlyArray<number>
  readonly pace: LoadSchedule
  /** A part of the names of the routes to measure. */
  readonly only: string | undefined
  /** Whether nothing is measured. */
  readonly isCheckOnly: boolean
}

const unlimited = "100000000"

/** Settings that both servers read. */
export const commonSettings = (bed: Bed) => ({
  LIVERY_DATA_DIR: bed.directory,
  DATABASE_POOL: "10",
  RATE_LIMIT_BUSINESS: unlimited,
  RATE_LIMIT_PUBLIC: unlimited,
  RATE_LIMIT_AUTH: unlimited,
  LOG_LEVEL: "info"
})

const startAll = async (bed: Bed, nodes: number) => {
  const shared = nodes > 1
  const logs = {
    livery: join(bed.directory, `livery-${nodes}.log`),
    peer: join(bed.directory, `peer-${nodes}.log`)
  }
  // The secret that the first start sealed the data with.
  const secret = (await readFile(join(bed.directory, "secret"), "utf8")).trim()
  const starts = Array.from({ length: nodes })
  const livery: Array<Server> = []
  const peer: Array<Server> = []
  for (const _ of starts) {
    livery.push(
      await startLivery({
        environment: {
          ...commonSettings(bed),
          DATABASE_URL: shared ? bed.url : "",
          LIVERY_SECRET: shared ? secret : ""
        },
        log: logs.livery
      })
    )
    peer.push(
      await startPeer({
        environment: {
          ...commonSettings(bed),
          DATABASE_URL: bed.url,
          OPENAPI: openApiOf(bed.directory),
          COUNTERS: shared ? "postgres" : "memory"
        },
        log: logs.peer
      })
    )
  }
  return { livery, peer, logs, shared }
}

/** Runs `use` with one node of Livery alone, and stops it. It uses the benchmark's database unless `settings` name another. */
export const withLivery = async (
  bed: Bed,
  use: (livery: Server) => Promise<void>,
  settings: Readonly<Record<string, string>> = { DATABASE_URL: "" }
) => {
  const environment = { ...commonSettings(bed), ...settings }
  const livery = await startLivery({ environment, log: join(bed.directory, "livery-alone.log") })
  try {
    await use(livery)
  } finally {
    await livery.stop()
  }
}

/** The running nodes of both servers. */
export type RunningServers = Awaited<ReturnType<typeof startAll>>

/** Runs `use` with that many nodes of both servers, and stops them. */
export const withBoth = async (bed: Bed, nodes: number, use: (started: RunningServers) => Promise<void>) => {
  const started = await startAll(bed, nodes)
  try {
    await use(started)
  } finally {
    for (const server of [...started.livery, ...started.peer]) await server.stop()
  }
}

const check = async (bed: Bed, { livery, logs, peer, shared }: RunningServers) => {
  const [ours, theirs] = [livery[0], peer[0]]
  if (ours === undefined || theirs === undefined) throw new Error("No server was started")
  const probes = await makeProbes(bed)
  const found = await differences(
    bed,
    { server: ours, log: logs.livery },
    { server: theirs, log: logs.peer },
    probes,
    { sharesCounters: shared }
  )
  if (found.length > 0)
    throw new Error(`The servers do not do the same, so nothing is measured:\n  ${found.join("\n  ")}`)
  report(`Both servers do the same: ${probes.length} requests, their rows, log lines and metrics.`)
}

/** How long the servers rest before their memory is read again. V8 collects old objects after 100 s with little work. */
const restMillis = 120_000

/** The memory of both servers: the peak, and the amount after a rest. */
export const memory = async ({ livery, peer }: RunningServers) => {
  await pause(restMillis)
  const of = (servers: ReadonlyArray<Server>, read: (pid: number) => number) =>
    servers.map(({ pid }) => read(pid).toFixed(0)).join(" and ")
  report(
    `\n${table(
      ["Resident memory, MiB", "Livery", "peer"],
      [
        ["at most", of(livery, residentPeak), of(peer, residentPeak)],
        [`${restMillis / 1000} s after the load`, of(livery, residentNow), of(peer, residentNow)]
      ]
    )}`
  )
}

const measureAll = async (bed: Bed, started: RunningServers, options: RaceOptions) => {
  const { livery, peer } = started
  const compared: Array<Compared> = []
  const pauseMillis = options.pace.rounds * options.pace.seconds * 1000
  await reportPauses(pauseMillis)
  const routes = (await makeRoutes(bed)).filter(({ name }) => name.includes(options.only ?? ""))
  for (const { name, requests } of routes) {
    const file = join(bed.directory, "bench", "requests.lua")
    await prepareLoad(file, requests)
    const match = {
      livery: { nodes: livery },
      peer: { nodes: peer },
      postmaster: bed.postmaster,
      route: name,
      file
    }
    await warmUp(match, options.pace.seconds)
    for (const connections of options.connections) {
      const result = await compare(match, connections, options.pace)
      compared.push(result)
      process.stderr.write(
        `${name}, ${connections} connections: ${quantile(result.ratios, 0.5).toFixed(2)}\n`
      )
    }
  }
  report(`\n${comparisons(compared)}\n\n${summary(compared)}\n`)
  await reportPauses(pauseMillis)
  await memory(started)
}

/** Starts both servers, compares what they do, measures them by turns, and stops them. */
export const compareRoutes = (bed: Bed, options: RaceOptions) =>
  withBoth(bed, options.nodes, async (started) => {
    report(
      started.shared
        ? `\n${options.nodes} nodes of each server, which share their rate counters in PostgreSQL`
        : "\nOne node of each server"
    )
    await check(bed, started)
    if (!options.isCheckOnly) await measureAll(bed, started, options)
  })
