/** Livery's requests a second on a list and a create, beside the transactions a second of their SQL alone. */
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { quantile, report } from "../webhooks/Figures.ts"
import type { Bed } from "./Bed.ts"
import type { LoadSchedule } from "./Comparison.ts"
import { load, prepareLoad } from "./Load.ts"
import { prepareScript, transactions } from "./Pgbench.ts"
import { table } from "./Report.ts"
import { makeRoutes } from "./Routes.ts"
import { withLivery } from "./RoutesRace.ts"
import { statementsOf } from "./Statements.ts"

const measured = new Set(["GET /trips", "GET /trips/{id}", "POST /trips"])

/** As many sessions as Livery's pool has. */
const sessions = 10
const connections = 16

/** Measures both by turns, with 16 connections to Livery and 10 sessions of pgbench. */
export const compareSql = (bed: Bed, only: string | undefined, { rounds, seconds }: LoadSchedule) =>
  withLivery(bed, async ({ port }) => {
    const rows: Array<ReadonlyArray<string>> = []
    for (const { name, requests } of await makeRoutes(bed)) {
      const [request] = requests
      if (!measured.has(name) || !name.includes(only ?? "") || request === undefined) continue
      const statements = await statementsOf(bed, port, request)
      const script = await prepareScript(join(bed.directory, "bench", "script.sql"), statements)
      const file = join(bed.directory, "bench", "requests.lua")
      await prepareLoad(file, [request])
      await load(port, file, connections, seconds)
      const rates: Array<number> = []
      const bare: Array<number> = []
      for (let round = 0; round < rounds; round++) {
        rates.push(await load(port, file, connections, seconds).then((turn) => turn.requests / turn.seconds))
        await pause(100)
        bare.push(await transactions(bed.url, script, sessions, seconds))
        await pause(100)
      }
      const ratios = rates.map((rate, round) => rate / (bare[round] ?? Number.NaN))
      rows.push([
        name,
        String(statements.length),
        quantile(rates, 0.5).toFixed(0),
        quantile(bare, 0.5).toFixed(0),
        `${quantile(ratios, 0.5).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`
      ])
    }
    report("\nThe same statements by pgbench -M prepared")
    report(
      `\n${table(["Route", "statements", "requests a second", "transactions a second", "ratio (lowest to highest)"], rows)}`
    )
  })
