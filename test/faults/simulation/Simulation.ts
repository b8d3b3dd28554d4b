/**
 * A day at the office, decided by a seed: several API nodes that commit changes or die over them, dispatchers that
 * crash and freeze, a database that goes away, receivers that refuse, hang and ask for time, endpoints that are
 * switched off and on. The rules are the domain's own; only what happens, and when, is made up here.
 */
import { BusinessId, DeliverySchedule, type Endpoint, EndpointId, type EventType } from "@livery/domain"
import { DateTime } from "effect"
import { makeAgenda } from "./Agenda.ts"
import { makeDispatcher, type Reception } from "./Dispatcher.ts"
import { Broken, makeLedger } from "./Ledger.ts"
import { type Random, randomFrom } from "./Random.ts"

/** What became of a seed. */
export interface Outcome {
  /** A number that any difference in what happened, or when, changes. */
  readonly trace: number
  readonly deliveries: number
  readonly posts: number
}

/** The last events of the simulation, printed with a failure. */
const remembered = 25

/** Faults happen until then; whatever is unfinished has to end by itself within the time after it. */
const calmAt = 900
const endAt = calmAt + 3_000

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

const receptions = (random: Random): Readonly<Record<string, () => Reception>> => ({
  accepts: () => ({ seconds: random.between(0.01, 1), acknowledged: true, retryAfter: 0 }),
  refuses: () => ({ seconds: random.between(0.01, 5), acknowledged: false, retryAfter: 0 }),
  hangs: () => ({ seconds: random.between(15, 16), acknowledged: false, retryAfter: 0 }),
  asks: () => ({ seconds: 0.1, acknowledged: false, retryAfter: random.between(0, 2_000) })
})

/** Runs a seed to its end. Throws with the seed and what happened last, if a promise is broken. */
export const simulate = (seed: number): Outcome => {
  const random = randomFrom(seed)
  const agenda = makeAgenda()
  const endpoints = makeEndpoints(random)
  const ledger = makeLedger(endpoints)
  const ways = receptions(random)
  const moods = new Map<number, string>()
  const last: Array<string> = []
  let trace = 0
  let posts = 0
  let databaseAwayUntil = 0
  const isCalm = () => agenda.now() >= calmAt

  const tell = (what: string) => {
    const line = `${agenda.now().toFixed(3)} ${what}`
    for (let index = 0; index < line.length; index++)
      trace = (Math.imul(trace, 31) + line.charCodeAt(index)) | 0
    last.push(line)
    if (last.length > remembered) last.shift()
  }

  const surroundings = {
    agenda,
    random,
    ledger,
    tell,
    isEnabled: (id: EndpointId) =>
      endpoints.find(({ endpoint_id }) => endpoint_id === id)?.status === "enabled",
    isDatabaseAway: () => agenda.now() < databaseAwayUntil,
    losesAnswer: () => !isCalm() && random.chance(0.03),
    receive: (id: EndpointId) => {
      posts += 1
      return (
        (isCalm() ? ways["accepts"] : ways[moods.get(id) ?? "accepts"])?.() ?? {
          seconds: 0,
          acknowledged: true,
          retryAfter: 0
        }
      )
    }
  }
  const dispatchers = Array.from({ length: random.whole(1, 4) }, (_, index) =>
    makeDispatcher(`dispatcher ${index + 1}`, surroundings)
  )

  /** A request: its transaction ends in a commit, in a rollback, or with the process. */
  const request = (id: number) => {
    const businessId = BusinessId.make(random.whole(1, 3))
    const type = random.pick<EventType>(["trip.created", "invoice.paid", "trip.updated"])
    tell(`a request begins ${id}`)
    agenda.put(random.between(0.001, 0.5), () => {
      if (random.chance(0.2) || agenda.now() < databaseAwayUntil) return tell(`${id} is rolled back`)
      tell(`${id} is committed`)
      ledger.commit({ id, businessId, type }, agenda.now())
      for (const { lookBy } of dispatchers) lookBy(agenda.now())
    })
  }

  const switchOver = (index: number) => {
    const endpoint = endpoints[index]
    if (endpoint === undefined) return
    const status = endpoint.status === "enabled" ? "disabled" : "enabled"
    tell(`endpoint ${endpoint.endpoint_id} is ${status}`)
    endpoints[index] = { ...endpoint, status }
    if (status === "disabled")
      for (const row of ledger.rows)
        if (row.endpointId === endpoint.endpoint_id) ledger.write(DeliverySchedule.cancel(row, agenda.now()))
  }

  const accident = () => {
    const dispatcher = random.pick([0, ...dispatchers.keys()])
    random.pick([
      () => dispatchers[dispatcher]?.crash(random.between(0.1, 120)),
      () => dispatchers[dispatcher]?.freeze(random.between(0.1, 300)),
      () => (databaseAwayUntil = agenda.now() + random.between(0.1, 60)),
      () =>
        moods.set(random.whole(1, endpoints.length), random.pick(["accepts", "refuses", "hangs", "asks"])),
      () => moods.set(random.whole(1, endpoints.length), random.pick(["refuses", "hangs"])),
      () => (random.chance(0.3) ? switchOver(random.whole(0, endpoints.length - 1)) : undefined)
    ])()
  }

  for (let id = 1, count = random.whole(3, 20); id <= count; id++)
    agenda.put(random.between(0, calmAt - 100), () => request(id))
  for (let count = random.whole(0, 60); count > 0; count--) agenda.put(random.between(0, calmAt), accident)

  try {
    agenda.run(endAt, ledger.verify)
    ledger.verifyEnd()
  } catch (cause) {
    if (!(cause instanceof Broken)) throw cause
    throw new Error(`Seed ${seed}, ${cause.message}\n${last.join("\n")}`, { cause })
  }
  return { trace, posts, deliveries: ledger.rows.length }
}
