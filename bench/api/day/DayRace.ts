/** The mix of a day on Livery and on the peer: first checks that both do the same, then measures them by turns. */
import { join } from "node:path"
import { report } from "../../webhooks/Figures.ts"
import type { Bed } from "../Bed.ts"
import { compare, type Compared, type LoadSchedule, warmUp } from "../Comparison.ts"
import { difference } from "../Difference.ts"
import { exchange } from "../Exchange.ts"
import { prepareLoad, type Request } from "../Load.ts"
import { comparisons } from "../Report.ts"
import { rowsOf } from "../Rows.ts"
import { memory, type RunningServers, withBoth } from "../RoutesRace.ts"
import { withLivery } from "../RoutesRace.ts"
import { fresh, kinds, makeMix } from "./DayMix.ts"
import { type Company, populateDay } from "./DayPopulation.ts"

/** The options of the day. */
export interface DayOptions {
  /** The trips of the largest business. */
  readonly largest: number
  readonly pace: LoadSchedule
  readonly connections: ReadonlyArray<number>
  /** A part of the names of the kinds that are measured alone; by default, the whole mix is measured. */
  readonly only: string | undefined
  /** Whether the memory is read after a rest of two minutes. */
  readonly isMemoryRead: boolean
}

const requestsInMix = 20_000
const checkedOfEachKind = 12

/**
 * The tables that requests wrote to, each with the number of its new rows. The words of a trip are left out: the population's words are not Livery's, which
 * replaces them at the first change.
 */
const writtenTables = (rows: ReadonlyArray<string>) =>
  [...Map.groupBy(rows, (row) => row.slice(0, row.indexOf(" ")))]
    .filter(([table]) => table !== "trip_search")
    .map(([table, written]) => `${table} ${written.length}`)
    .sort()
    .join(", ")

const dataOf = (body: string) => JSON.stringify((JSON.parse(body) as { readonly data: unknown }).data)

const idOf = (path: string) => /\/(\d+)\//u.exec(path)?.[1] ?? "0"

/** Statements that undo requests that change something else, or nothing, when they are repeated. */
const undone: Readonly<Record<string, (request: Request) => ReadonlyArray<string>>> = {
  "POST /trips/{id}/drivers": ({ body = "{}", path }) => {
    const { driver_ids } = JSON.parse(body) as { readonly driver_ids: ReadonlyArray<number> }
    const ofTrip = `trip_id = ${idOf(path)} and driver_id`
    const ids = `('{${driver_ids.join()}}')`
    return [
      `delete from assignments where ${ofTrip} = any ${ids}`,
      `update assignments set status = 'assigned', cancelled_at = null, cancelled_by = null where ${ofTrip} <> all ${ids} and status = 'cancelled'`
    ]
  },
  // The first payment seals an invoice.
  "POST /invoices/{id}/payments": ({ path }) => [
    `delete from invoice_snapshots where invoice_id = ${idOf(path)}`,
    `update invoices set sealed_at = null where invoice_id = ${idOf(path)}`
  ]
}

/**
 * Sends requests of each kind to both servers: reads must give the same data, and writes must write to the same tables.
 * The requests that can be undone are sent twice: with the first undone for the second server, then repeated.
 */
const check = async (bed: Bed, companies: ReadonlyArray<Company>, { livery, peer }: RunningServers) => {
  const rows = await rowsOf(bed.url)
  const found: Array<string> = []
  let next = 0
  let count = 0
  const sent = async (port: number, request: Request, undo: ReadonlyArray<string>) => {
    for (const statement of undo) await rows.run(statement)
    const mark = await rows.mark()
    const numbered = { ...request }
    if (request.body !== undefined)
      Object.assign(numbered, { body: request.body.replace(fresh, String(++next).padStart(8, "0")) })
    const response = await exchange(port, numbered)
    const written =
      request.method === "GET"
        ? ""
        : writtenTables(await rows.since(mark, { tripId: undefined, reference: undefined }))
    return { response, written }
  }
  try {
    for (const { name } of kinds) {
      const requests = makeMix(companies, checkedOfEachKind, name)
      const first = requests.map((request) => ({ request, undo: undone[name]?.(request) ?? [] }))
      const repeated = undone[name] === undefined ? [] : requests.map((request) => ({ request, undo: [] }))
      for (const { request, undo } of [...first, ...repeated]) {
        const ours = await sent(livery[0]?.port ?? 0, request, undo)
        const theirs = await sent(peer[0]?.port ?? 0, request, undo)
        count += 1
        const about = `${request.method} ${request.path}`
        if (ours.response.status !== theirs.response.status || ours.response.status >= 300)
          found.push(
            `${about}: ${ours.response.status} and ${theirs.response.status} ${theirs.response.body}`
          )
        else if (request.method === "GET")
          found.push(...difference(about, [dataOf(ours.response.body)], [dataOf(theirs.response.body)]))
        else if (ours.written !== theirs.written)
          found.push(`${about}: rows of ${ours.written}; the peer: ${theirs.written}`)
      }
    }
  } finally {
    await rows.close()
  }
  if (found.length > 0)
    throw new Error(`The servers do not do the same, so nothing is measured:\n  ${found.join("\n  ")}`)
  report(`Both servers do the same: ${count} requests.`)
}

/** Fills the database with the businesses of a day, and races both servers over the mix, or over some kinds alone. */
export const compareDay = async (
  bed: Bed,
  { connections, isMemoryRead, largest, only, pace }: DayOptions
) => {
  let companies: ReadonlyArray<Company> = []
  await withLivery(bed, async ({ port }) => {
    companies = await populateDay(bed.url, bed.directory, port, largest)
  })
  await withBoth(bed, 1, async (started) => {
    await check(bed, companies, started)
    const compared: Array<Compared> = []
    const names =
      only === undefined ? [undefined] : kinds.map(({ name }) => name).filter((name) => name.includes(only))
    for (const name of names) {
      const file = join(bed.directory, "bench", "requests.lua")
      await prepareLoad(file, makeMix(companies, requestsInMix, name), fresh)
      const match = {
        livery: { nodes: started.livery },
        peer: { nodes: started.peer },
        postmaster: bed.postmaster,
        route: name ?? "the mix of a day",
        file
      }
      await warmUp(match, pace.seconds)
      for (const count of connections) compared.push(await compare(match, count, pace))
    }
    report(`\n${comparisons(compared)}\n`)
    if (isMemoryRead) await memory(started)
  })
}
