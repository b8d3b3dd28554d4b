/** A steady stream of events: how long from the commit to the receiver, and at how many statements. */
import { BusinessId, EventLog } from "@livery/domain"
import { Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { statements } from "./Cluster.ts"
import { dispatcher, makeBusinesses, queues } from "./Dispatching.ts"
import { bodyOf, mean, quantile, report } from "./Figures.ts"
import type { Receiver } from "./Processes.ts"

const emit = Effect.fnUntraced(function* (businessId: BusinessId, committed: Map<string, number>) {
  const sql = yield* SqlClient.SqlClient
  const events = yield* EventLog
  const eventId = `evt_${randomBytes(16).toString("hex")}`
  const written = Effect.sync(() => committed.set(eventId, performance.timeOrigin + performance.now()))
  // Before the event's own wake-up, so that no delivery is quicker than this.
  yield* sql
    .afterCommit(written)
    .pipe(
      Effect.andThen(events.record({ eventId, businessId, type: "trip.created", body: bodyOf(eventId) })),
      sql.withTransaction
    )
})

/** `rate` events a second for `seconds`, each for one endpoint, sent by a dispatcher in the same process. */
export const stream = async (url: string, receiver: Receiver, rate: number, seconds: number) => {
  const businesses = (await makeBusinesses(url, receiver.url)).map((id) => BusinessId.make(id))
  const total = rate * seconds
  const { counted } = await receiver.counting(total)
  const committed = new Map<string, number>()
  let sent = 0
  let began = 0
  const emission = Effect.suspend(() => {
    const due = Math.min(Math.floor(((performance.now() - began) / 1000) * rate), total)
    const batch = Array.from({ length: due - sent }, (_, index) => sent + index)
    sent = due
    return Effect.forEach(
      batch,
      (index) => emit(businesses[index % businesses.length] ?? BusinessId.make(1), committed),
      { concurrency: 8, discard: true }
    )
  }).pipe(Effect.repeat({ schedule: Schedule.spaced("5 millis"), while: () => sent < total }))
  const { arrivals, calls, first, last } = await Effect.runPromise(
    Effect.gen(function* () {
      const before = yield* Effect.promise(() => statements(url))
      began = performance.now()
      yield* emission
      const count = yield* Effect.promise(() => counted)
      yield* Effect.sleep("500 millis")
      return { ...count, calls: (yield* Effect.promise(() => statements(url))) - before }
    }).pipe(Effect.provide(dispatcher.pipe(Layer.provideMerge(queues(url)))))
  )
  const delays = arrivals.map(([id, at]) => at - (committed.get(id) ?? Number.NaN))
  report(
    `${rate} events a second for ${seconds} s (${(total / ((last - first) / 1000)).toFixed(0)} a second done): ` +
      `commit to receipt mean ${mean(delays).toFixed(1)} ms, median ${quantile(delays, 0.5).toFixed(1)} ms, ` +
      `p99 ${quantile(delays, 0.99).toFixed(1)} ms, most ${quantile(delays, 1).toFixed(1)} ms; ` +
      `${(calls / total).toFixed(2)} statements an event`
  )
}
