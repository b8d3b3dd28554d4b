/**
 * Measures webhooks, and job queues that could be used instead, on a PostgreSQL of its own:
 *
 *     npm run bench:webhooks [-- --quick] [--race [--against DIRECTORY,…] [--rounds N] [--deliveries N]]
 *
 * `--race` only compares Livery with the job queues. It needs `npm ci` in this directory once, for the job queues; `--against`
 * compares with other checkouts of Livery instead, to measure a change. `docs/benchmarks.md` has the figures.
 */
import { Effect } from "effect"
import { cpus, totalmem } from "node:os"
import { parseArgs } from "node:util"
import { withoutSessionGroups } from "../SessionGroups.ts"
import { bookings } from "./Bookings.ts"
import { cluster } from "./Cluster.ts"
import { prepare } from "./Dispatching.ts"
import { report } from "./Figures.ts"
import { receiver } from "./Processes.ts"
import { race } from "./Race.ts"
import { stream } from "./Stream.ts"

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    race: { type: "boolean", default: false },
    against: { type: "string" },
    rounds: { type: "string" },
    deliveries: { type: "string" }
  }
})
const { quick } = values
const raceOptions = {
  deliveries: Number(values.deliveries ?? (quick ? 5_000 : 60_000)),
  rounds: Number(values.rounds ?? (quick ? 1 : 7)),
  against: values.against?.split(",") ?? []
}

const measure = Effect.gen(function* () {
  const [cpu] = cpus()
  report(
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} × ${cpu?.model.trim()}, ` +
      `${(totalmem() / 1024 ** 3).toFixed(0)} GB`
  )
  yield* withoutSessionGroups
  const listener = yield* Effect.acquireRelease(Effect.promise(receiver), ({ close }) =>
    Effect.promise(close)
  )
  if (!values.race) {
    const served = yield* cluster
    yield* Effect.promise(() =>
      bookings(served, listener, { rates: [50], seconds: 5, rounds: quick ? 1 : 16 })
    )
  }
  const place = yield* cluster
  yield* Effect.promise(() => prepare(place.url))
  if (!values.race) {
    yield* Effect.promise(() => stream(place.url, listener, 100, quick ? 3 : 15))
    yield* Effect.promise(() => stream(place.url, listener, 1_000, quick ? 10 : 60))
  }
  yield* Effect.promise(() => race(place, listener, raceOptions))
}).pipe(Effect.scoped)

await Effect.runPromise(measure)
process.exit()
