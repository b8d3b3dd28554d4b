/**
 * Livery's requests a second on a list and a create, beside the transactions a second of their SQL alone, and beside the
 * requests a second of a server that does the least for a list.
 */
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { quantile, report } from "../webhooks/Figures.ts"
import { withBareServer } from "./BareServer.ts"
import type { Bed } from "./Bed.ts"
import type { LoadSchedule } from "./Comparison.ts"
import { exchange } from "./Exchange.ts"
import { load, prepareLoad } from "./Load.ts"
import { prepareScript, transactions } from "./Pgbench.ts"
import { table } from "./Report.ts"
import { makeRoutes } from "./Routes.ts"
import { withLivery } from "./RoutesRace.ts"
import { statementsOf } from "./Statements.ts"

const measured = new Set(["GET /trips", "GET /trips?page=", "GET /trips/{id}", "POST /trips"])

/** As many sessions as Livery's pool has. */
const sessions = 10
const connections = 16

const rateOf = async (port: number, file: string, seconds: number) => {
  const turn = await load(port, file, connections, seconds)
  return turn.requests / turn.seconds
}

/** Rates of a turn of each round. */
interface Rates {
  readonly livery: Array<number>
  readonly pgbench: Array<number>
  /** Empty for a request that writes, because its statements cannot be repeated. */
  readonly bare: Array<number>
}

/** The median of a rate as a part of pgbench's, with the lowest and the highest. */
const partOf = (rates: ReadonlyArray<number>, { pgbench }: Rates) => {
  const parts = rates.map((rate, round) => rate / (pgbench[round] ?? Number.NaN))
  return `${quantile(parts, 0.5).toFixed(2)} (${Math.min(...parts).toFixed(2)} to ${Math.max(...parts).toFixed(2)})`
}

/** Measures all by turns, with 16 connections to the servers and 10 sessions of pgbench. */
export const compareSql = (bed: Bed, only: string | undefined, { rounds, seconds }: LoadSchedule) =>
  withLivery(bed, async ({ port }) => {
    const rows: Array<ReadonlyArray<string>> = []
    for (const { name, requests, typical } of await makeRoutes(bed)) {
      const request = requests[typical ?? 0]
      if (!measured.has(name) || !name.includes(only ?? "") || request === undefined) continue
      const statements = await statementsOf(bed, port, request)
      const script = await prepareScript(join(bed.directory, "bench", "script.sql"), statements)
      const file = join(bed.directory, "bench", "requests.lua")
      await prepareLoad(file, typical === undefined ? [request] : requests)
      const rates: Rates = { livery: [], pgbench: [], bare: [] }
      const { body } = await exchange(port, request)
      await withBareServer({ url: bed.url, sessions, statements, body }, async (bare) => {
        const isRead = request.method === "GET"
        for (const server of isRead ? [port, bare] : [port]) await rateOf(server, file, seconds)
        for (let round = 0; round < rounds; round++) {
          rates.livery.push(await rateOf(port, file, seconds))
          await pause(100)
          rates.pgbench.push(await transactions(bed.url, script, sessions, seconds))
          await pause(100)
          if (isRead) rates.bare.push(await rateOf(bare, file, seconds))
          await pause(100)
        }
      })
      rows.push([
        name,
        String(statements.length),
        quantile(rates.livery, 0.5).toFixed(0),
        quantile(rates.pgbench, 0.5).toFixed(0),
        partOf(rates.livery, rates),
        rates.bare.length === 0 ? "" : partOf(rates.bare, rates)
      ])
    }
    report("\nThe same statements by pgbench -M prepared")
    const columns = [
      "Route",
      "statements",
      "requests a second",
      "transactions a second",
      "ratio (lowest to highest)"
    ]
    report(`\n${table([...columns, "ratio of a bare server"], rows)}`)
  })
