/**
 * The mix of a day while a node of a distributed database is stopped and started again. What a business does meanwhile depends
 * on the node of its rows, so the requests are counted for the businesses of that node and for the others.
 */
import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { setTimeout as pause } from "node:timers/promises"
import { promisify } from "node:util"
import type { Company } from "../api/day/DayPopulation.ts"
import { fresh, makeMix } from "../api/day/DayMix.ts"
import type { Request } from "../api/Load.ts"
import { ask } from "../webhooks/Cluster.ts"
import { quantile, report } from "../webhooks/Figures.ts"

const run = promisify(execFile)

/** A receiver that counts how often it got each event. */
export const countingReceiver = async () => {
  const received = new Map<string, number>()
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly id: string }
      received.set(id, (received.get(id) ?? 0) + 1)
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { received, url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}

/** The options of an outage. The commands are run by a shell. */
export interface OutageOptions {
  readonly minutes: number
  /** How many requests are under way. */
  readonly connections: number
  readonly stop: string
  readonly start: string
  /** The port of the node that is stopped. */
  readonly nodePort: number
}

/** Between the requests of a connection, so that the answers do not wait for the processors. */
const thinkMillis = 50
const downSeconds = 60
const cycleSeconds = 300

type Phase = "up" | "down"

interface Measured {
  readonly millis: number
  readonly isRefused: boolean
  readonly isWrite: boolean
}

const placesOf = async (url: string, companies: ReadonlyArray<Company>, nodePort: number) => {
  const rows = await ask(
    url,
    `select b.business_id::int8 as id, n.nodeport as port
     from businesses b
     join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('trips', b.business_id)
     join pg_dist_node n on n.groupid = p.groupid
     where b.business_id in (${companies.map(({ businessId }) => businessId).join()})`
  )
  return new Set(rows.filter((row) => row["port"] === nodePort).map((row) => Number(row["id"])))
}

const ofNode = "of the node"

const patience = 120_000

/** Sends a request until it is acknowledged, with one key. Gives the first answer's time and whether it was refused. */
const send = async (
  port: number,
  { body, headers, method, path }: Request,
  acknowledged: (text: string) => void
) => {
  const key = randomUUID()
  const isWrite = method !== "GET"
  const attempt = async () => {
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { ...headers, ...(isWrite ? { "idempotency-key": key } : {}) },
        ...(body === undefined ? {} : { body })
      })
      return { status: response.status, text: await response.text() }
    } catch (error) {
      return { status: 0, text: String(error) }
    }
  }
  const began = performance.now()
  const first = await attempt()
  const measured: Measured = {
    millis: performance.now() - began,
    isRefused: first.status >= 500 || first.status === 0,
    isWrite
  }
  let last = first
  const isBooking = method === "POST" && path.endsWith("/trips")
  const isUndecided = () => last.status >= 500 || last.status === 0 || last.status === 409
  if (isBooking)
    while (isUndecided() && performance.now() - began < patience) {
      await pause(1_000)
      last = await attempt()
    }
  if (isBooking && last.status < 300) acknowledged(last.text)
  return { measured, last }
}

/** Runs the mix with outages, and prints what was refused, how long answers took, and what was lost or doubled. */
export const measureOutage = async (
  {
    companies,
    port,
    received,
    url
  }: {
    readonly url: string
    readonly port: number
    readonly companies: ReadonlyArray<Company>
    readonly received: ReadonlyMap<string, number>
  },
  options: OutageOptions
) => {
  const onNode = await placesOf(url, companies, options.nodePort)
  report(`${onNode.size} businesses of the node, ${companies.length - onNode.size} others`)
  const measured = new Map<string, Array<Measured>>()
  const reasons = new Map<string, number>()
  const bookings: Array<{ businessId: number; tripId: number }> = []
  const state: { phase: Phase; isOver: boolean } = { phase: "up", isOver: false }
  const mixes = companies.map((company) => ({ company, requests: makeMix([company], 500), next: 0 }))
  let number = 10_000_000
  const loop = async (group: string, index: number) => {
    const mine = mixes.filter(({ company }) => onNode.has(company.businessId) === (group === ofNode))
    for (let turn = index; !state.isOver; turn++) {
      const mix = mine[turn % mine.length]
      const request = mix?.requests[mix.next++ % mix.requests.length]
      if (mix === undefined || request === undefined) return
      const { businessId } = mix.company
      const { phase: at } = state
      const { last, measured: each } = await send(
        port,
        {
          ...request,
          ...(request.body === undefined ? {} : { body: request.body.replace(fresh, String(number++)) })
        },
        (text) => {
          const { data } = JSON.parse(text) as { readonly data: { readonly trip_id: number } }
          bookings.push({ businessId, tripId: data.trip_id })
        }
      )
      // A request that began before a change of the phase belongs to neither.
      if (at === state.phase) {
        const name = `${group}, ${at}`
        const all = measured.get(name) ?? []
        all.push(each)
        measured.set(name, all)
      }
      if (last.status >= 400 || last.status === 0) {
        const said = last.text.replaceAll(/"meta".*/gu, "").slice(0, 200)
        const reason = `${group}, ${at}: ${request.method} ${last.status} ${said}`
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
      }
      await pause(thinkMillis)
    }
  }
  const shell = (command: string) => run("sh", ["-c", command])
  const began = performance.now()
  // Requests to the stopped node wait, so that its businesses have connections of their own.
  const loops = [ofNode, "others"].flatMap((group) =>
    Array.from({ length: options.connections / 2 }, (_, index) => loop(group, index))
  )
  while (performance.now() - began < options.minutes * 60_000) {
    await pause(((cycleSeconds - downSeconds) / 2) * 1_000)
    await shell(options.stop)
    state.phase = "down"
    await pause(downSeconds * 1_000)
    await shell(options.start)
    state.phase = "up"
    await pause(((cycleSeconds - downSeconds) / 2) * 1_000)
  }
  state.isOver = true
  await Promise.all(loops)
  for (const [name, all] of [...measured].toSorted(([one], [other]) => one.localeCompare(other))) {
    const answered = all.filter(({ isRefused }) => !isRefused).map(({ millis }) => millis)
    const refused = all.filter(({ isRefused }) => isRefused)
    report(
      `${name}: ${all.length} requests, ${refused.length} refused (${refused.filter(({ isWrite }) => isWrite).length} writes); ` +
        `p50 ${quantile(answered, 0.5).toFixed(1)} ms, p99 ${quantile(answered, 0.99).toFixed(1)} ms`
    )
  }
  for (const [reason, count] of [...reasons].toSorted((one, other) => other[1] - one[1]).slice(0, 20))
    report(`${count} × ${reason}`)
  await verify(url, bookings, received)
}

const settleMillis = 120_000

/** Compares the acknowledged bookings with the rows of trips, with the feed and with what the receiver got. */
const verify = async (
  url: string,
  bookings: ReadonlyArray<{ readonly businessId: number; readonly tripId: number }>,
  received: ReadonlyMap<string, number>
) => {
  const businesses = [...new Set(bookings.map(({ businessId }) => businessId))]
  const read = async (businessId: number) => {
    const trips = await ask(
      url,
      `select trip_id::int8 as id, count(*) over (partition by customer_name)::int as same from trips
       where business_id = ${businessId} and customer_name like 'Ada %'`
    )
    const events = await ask(
      url,
      `select event_id as id, position is not null as placed, (rtrim(body, ' ')::json -> 'data' ->> 'trip_id')::int8 as trip
       from event_history where business_id = ${businessId} and event_type = 'trip.created'`
    )
    return { trips, events }
  }
  const check = async () => {
    let [lost, doubled, unplaced, undelivered, again] = [0, 0, 0, 0, 0]
    for (const businessId of businesses) {
      const { events, trips } = await read(businessId)
      const known = new Map(trips.map((row) => [Number(row["id"]), Number(row["same"])]))
      const eventOf = new Map(events.map((row) => [Number(row["trip"]), row]))
      for (const { tripId } of bookings.filter((booked) => booked.businessId === businessId)) {
        const same = known.get(tripId)
        const event = eventOf.get(tripId)
        if (same === undefined || event === undefined) lost += 1
        if ((same ?? 1) > 1) doubled += 1
        if (event?.["placed"] === false) unplaced += 1
        const count = received.get(String(event?.["id"])) ?? 0
        if (count === 0) undelivered += 1
        if (count > 1) again += 1
      }
    }
    return { lost, doubled, unplaced, undelivered, again }
  }
  const began = performance.now()
  let found = await check()
  while ((found.unplaced > 0 || found.undelivered > 0) && performance.now() - began < settleMillis) {
    await pause(2_000)
    found = await check()
  }
  report(
    `${bookings.length} acknowledged bookings: ${found.lost} lost, ${found.doubled} doubled, ${found.unplaced} events without a place in the feed, ` +
      `${found.undelivered} not delivered, ${found.again} delivered more than once; settled after ${((performance.now() - began) / 1000).toFixed(0)} s`
  )
}
