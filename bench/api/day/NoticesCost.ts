/**
 * The cost of notices: one server, the mix of a day and its changes of trips, by turns with all businesses telling their customers
 * everything by mail and with none telling anything. Each told change is one more row; the notices themselves are sent later.
 */
import { join } from "node:path"
import { quantile, report } from "../../webhooks/Figures.ts"
import type { Bed } from "../Bed.ts"
import { load, prepareLoad } from "../Load.ts"
import { table } from "../Report.ts"
import { withLivery } from "../RoutesRace.ts"
import { rowsOf } from "../Rows.ts"
import { stopwatch } from "../Usage.ts"
import { fresh, makeMix } from "./DayMix.ts"
import { type Company, populateDay } from "./DayPopulation.ts"
import type { DayOptions } from "./DayRace.ts"

const requestsInMix = 20_000

const none = "DELETE FROM notice_settings"

/** Quiet for an hour, so that no notice of the measured changes is sent while others are measured. */
const all = `
  INSERT INTO notice_settings (business_id, tells_customers, reminds, quiet_minutes, reminder_minutes, updated_at)
  SELECT business_id, true, false, 60, 1440, now() FROM businesses
  ON CONFLICT (business_id) DO UPDATE SET tells_customers = true, quiet_minutes = 60`

/** The processor time of Node and of PostgreSQL for a request, in microseconds. */
interface Cost {
  readonly node: number
  readonly database: number
}

const low = (costs: ReadonlyArray<Cost>, part: keyof Cost) =>
  quantile(
    costs.map((cost) => cost[part]),
    0.25
  )

/** Measures the mix, and each kind of request that changes a trip. */
export const measureNotices = async (bed: Bed, { largest, pace }: Pick<DayOptions, "largest" | "pace">) => {
  let companies: ReadonlyArray<Company> = []
  await withLivery(bed, async ({ port }) => {
    companies = await populateDay(bed.url, bed.directory, port, largest)
  })
  await withLivery(bed, async ({ pid, port }) => {
    const rows = await rowsOf(bed.url)
    const file = join(bed.directory, "bench", "notices.lua")
    const turn = async (statement: string, seconds: number): Promise<Cost> => {
      await rows.run(statement)
      const [node, database] = [stopwatch([pid]), stopwatch([bed.postmaster])]
      const { requests } = await load(port, file, 16, seconds)
      return { node: node() / requests, database: database() / requests }
    }
    const lines: Array<ReadonlyArray<string>> = []
    try {
      for (const kind of [undefined, "POST /trips", "PATCH /trips/{id}", "POST /trips/{id}/drivers"]) {
        await prepareLoad(file, makeMix(companies, requestsInMix, kind), fresh)
        await turn(none, 3 * pace.seconds)
        const costs: Readonly<Record<"off" | "on", Array<Cost>>> = { off: [], on: [] }
        for (let round = 0; round < pace.rounds; round++)
          for (const name of round % 2 === 0 ? (["off", "on"] as const) : (["on", "off"] as const))
            costs[name].push(await turn(name === "on" ? all : none, pace.seconds))
        const cells = (part: keyof Cost) => {
          const [off, on] = [low(costs.off, part), low(costs.on, part)]
          return [off.toFixed(0), on.toFixed(0), (on / off).toFixed(2)]
        }
        lines.push([kind ?? "the mix of a day", ...cells("node"), ...cells("database")])
      }
    } finally {
      await rows.run(none)
      await rows.close()
    }
    const columns = ["Node, off", "on", "ratio", "PostgreSQL, off", "on", "ratio"]
    report(
      `\nProcessor time of a request in µs, the lower quartile of the turns\n\n${table(["16 connections", ...columns], lines)}`
    )
  })
}
