/**
 * Webhooks measured, beside what one would take instead, on a PostgreSQL of their own:
 *
 *     npm run bench:webhooks [-- --quick] [--race]
 *
 * Once before: `npm ci` in this directory, for the others; `--race` runs nothing but the race against them. `docs/benchmarks.md` holds what came of it.
 */
import { Effect } from "effect"
import { cpus, totalmem } from "node:os"
import { bookings } from "./Bookings.ts"
import { cluster } from "./Cluster.ts"
import { prepare } from "./Dispatching.ts"
import { tell } from "./Figures.ts"
import { receiver } from "./Processes.ts"
import { race } from "./Race.ts"
import { stream } from "./Stream.ts"

const isQuick = process.argv.includes("--quick")
const isRace = process.argv.includes("--race")

const measure = Effect.gen(function* () {
  const [cpu] = cpus()
  tell(
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} × ${cpu?.model.trim()}, ` +
      `${(totalmem() / 1024 ** 3).toFixed(0)} GB`
  )
  const ears = yield* Effect.acquireRelease(Effect.promise(receiver), ({ close }) => Effect.promise(close))
  const served = yield* cluster
  if (!isRace)
    yield* Effect.promise(() => bookings(served, ears, { rates: [50], seconds: 5, rounds: isQuick ? 1 : 16 }))
  const { url } = yield* cluster
  yield* Effect.promise(() => prepare(url))
  if (!isRace) {
    yield* Effect.promise(() => stream(url, ears, 100, isQuick ? 3 : 15))
    yield* Effect.promise(() => stream(url, ears, 1_000, isQuick ? 10 : 60))
  }
  yield* Effect.promise(() => race(url, ears, isQuick ? 5_000 : 60_000, isQuick ? 1 : 7))
}).pipe(Effect.scoped)

await Effect.runPromise(measure)
process.exit()
