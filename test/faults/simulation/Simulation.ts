/**
 * Simulates an installation; a seed decides everything that happens. API nodes commit or roll back changes, dispatchers
 * crash and freeze, the database fails, receivers refuse, hang or send `Retry-After`, and endpoints are disabled and
 * enabled. The rules of deliveries are the domain's own.
 */
import { BusinessId, DeliverySchedule, type Endpoint, EndpointId, type EventType } from "@livery/domain"
import { DateTime } from "effect"
import { makeEventQueue } from "./EventQueue.ts"
import { makeDispatcher, type SimulatedResponse } from "./Dispatcher.ts"
import { InvariantBroken, makeSimulatedDatabase } from "./SimulatedDatabase.ts"
import { type Random, randomFrom } from "./Random.ts"

/** The outcome of a simulation. */
export interface Outcome {
  /** A hash of all events with their times. */
  readonly trace: number
  readonly deliveries: number
  readonly posts: number
}

/** How many of the last events a failure prints. */
const keptLines = 25

/** The time at which faults end. Everything unfinished must then end by itself before `endAt`. */
const faultsEndAt = 900
const endAt = faultsEndAt + 3_000

const makeEndpoints = (random: Random): Array<Endpoint> =>
  Array.from({ length: random.whole(2, 6) }, (_, index) => ({
    endpoint_id: EndpointId.make(index + 1),
    business_id: BusinessId.make(random.whole(1, 3)),
    url: "https://receiver.example/",
    events: random.pick<ReadonlyArray<EventType>>([
      ["trip.created"],
      ["trip.created", "invoice.paid"],
      ["invoice.paid"]
    ]),
    status: random.chance(0.9) ? "enabled" : "disabled",
    created_at: DateTime.makeUnsafe(0),
    updated_at: DateTime.makeUnsafe(0)
  }))

const responsesOf = (random: Random): Readonly<Record<string, () => SimulatedResponse>> => ({
  accepts: () => ({ seconds: random.between(0.01, 1), acknowledged: true, retryAfter: 0 }),
  refuses: () => ({ seconds: random.between(0.01, 5), acknowledged: false, retryAfter: 0 }),
  hangs: () => ({ seconds: random.between(15, 16), acknowledged: false, retryAfter: 0 }),
  asks: () => ({ seconds: 0.1, acknowledged: false, retryAfter: random.between(0, 2_000) })
})

/** Runs the simulation of a seed. Throws with the seed and the last events if an invariant does not hold. */
export const simulate = (seed: number): Outcome => {
  const random = randomFrom(seed)
  const events = makeEventQueue()
  const endpoints = makeEndpoints(random)
  const database = makeSimulatedDatabase(endpoints)
  const responses = responsesOf(random)
  const behaviours = new Map<number, string>()
  const last: Array<string> = []
  let trace = 0
  let posts = 0
  let databaseDownUntil = 0
  const haveFaultsEnded = () => events.now() >= faultsEndAt

  const log = (event: string) => {
    const line = `${events.now().toFixed(3)} ${event}`
    for (let index = 0; index < line.length; index++)
      trace = (Math.imul(trace, 31) + line.charCodeAt(index)) | 0
    last.push(line)
    if (last.length > keptLines) last.shift()
  }

  const environment = {
    events,
    random,
    database,
    log,
    isEnabled: (id: EndpointId) =>
      endpoints.find(({ endpoint_id }) => endpoint_id === id)?.status === "enabled",
    isDatabaseDown: () => events.now() < databaseDownUntil,
    losesResponse: () => !haveFaultsEnded() && random.chance(0.03),
    respond: (id: EndpointId) => {
      posts += 1
      return (
        (haveFaultsEnded() ? responses["accepts"] : responses[behaviours.get(id) ?? "accepts"])?.() ?? {
          seconds: 0,
          acknowledged: true,
          retryAfter: 0
        }
      )
    }
  }
  const dispatchers = Array.from({ length: random.whole(1, 4) }, (_, index) =>
    makeDispatcher(`dispatcher ${index + 1}`, environment)
  )

  /** A request whose transaction commits or is rolled back. */
  const request = (id: number) => {
    const businessId = BusinessId.make(random.whole(1, 3))
    const type = random.pick<EventType>(["trip.created", "invoice.paid", "trip.updated"])
    log(`a request begins ${id}`)
    events.schedule(random.between(0.001, 0.5), () => {
      if (random.chance(0.2) || events.now() < databaseDownUntil) return log(`${id} is rolled back`)
      log(`${id} is committed`)
      database.commit({ id, businessId, type }, events.now())
      for (const { pollBy } of dispatchers) pollBy(events.now())
    })
  }

  const toggleEndpoint = (index: number) => {
    const endpoint = endpoints[index]
    if (endpoint === undefined) return
    const status = endpoint.status === "enabled" ? "disabled" : "enabled"
    log(`endpoint ${endpoint.endpoint_id} is ${status}`)
    endpoints[index] = { ...endpoint, status }
    if (status === "disabled")
      for (const row of database.rows)
        if (row.endpointId === endpoint.endpoint_id)
          database.write(DeliverySchedule.cancel(row, events.now()))
  }

  const fault = () => {
    const dispatcher = random.pick([0, ...dispatchers.keys()])
    random.pick([
      () => dispatchers[dispatcher]?.crash(random.between(0.1, 120)),
      () => dispatchers[dispatcher]?.freeze(random.between(0.1, 300)),
      () => (databaseDownUntil = events.now() + random.between(0.1, 60)),
      () =>
        behaviours.set(
          random.whole(1, endpoints.length),
          random.pick(["accepts", "refuses", "hangs", "asks"])
        ),
      () => behaviours.set(random.whole(1, endpoints.length), random.pick(["refuses", "hangs"])),
      () => (random.chance(0.3) ? toggleEndpoint(random.whole(0, endpoints.length - 1)) : undefined)
    ])()
  }

  for (let id = 1, count = random.whole(3, 20); id <= count; id++)
    events.schedule(random.between(0, faultsEndAt - 100), () => request(id))
  for (let count = random.whole(0, 60); count > 0; count--)
    events.schedule(random.between(0, faultsEndAt), fault)

  try {
    events.run(endAt, database.verify)
    database.verifyEnd()
  } catch (cause) {
    if (!(cause instanceof InvariantBroken)) throw cause
    throw new Error(`Seed ${seed}, ${cause.message}\n${last.join("\n")}`, { cause })
  }
  return { trace, posts, deliveries: database.rows.length }
}
