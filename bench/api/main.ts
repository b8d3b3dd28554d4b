/**
 * Livery's request path measured beside a server written by hand with Fastify and `pg` that does the same work on the
 * same PostgreSQL:
 *
 *     npm run bench:api [-- --quick] [-- --only "/trips"] [-- --connections 1,16] [-- --turns 10] [-- --part check|routes|shared|sql|lists|pages|actions|observability|reports|notices]
 *
 * The part `day` decides: the mix of a day over 200 businesses, one of them with 1,000,000 trips (`-- --largest 50000` for a
 * first look), or some kinds of its requests alone (`-- --only "POST /trips"`).
 *
 * The part `reports` times the reports of a month in a business of as many trips.
 *
 * The part `notices` measures the mix of a day with notices on and off.
 *
 * The part `actions` counts the statements and the pages of the routes beyond the lists (`docs/benchmarks.md`), and needs neither of
 * the following.
 *
 * Once before: `npm ci` in this directory for the peer, and Debian's `wrk` for the load. `docs/benchmarks.md` holds
 * the figures.
 */
import { Effect } from "effect"
import { mkdir } from "node:fs/promises"
import { cpus, totalmem } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { withoutSessionGroups } from "../SessionGroups.ts"
import { report } from "../webhooks/Figures.ts"
import { type Bed, makeBed, tripCount } from "./Bed.ts"
import { countActions } from "./actions/ActionPages.ts"
import { makeAdmin } from "./actions/Business.ts"
import { compareDay } from "./day/DayRace.ts"
import { measureNotices } from "./day/NoticesCost.ts"
import { grow } from "./lists/Growth.ts"
import { countPages } from "./lists/ListPages.ts"
import { compareLists, type Sizes } from "./lists/ListRace.ts"
import { lists } from "./lists/Lists.ts"
import { platformLists } from "./lists/PlatformLists.ts"
import { type Compared, listsOf, listsOfPlatforms } from "./lists/Requests.ts"
import { withPlatforms } from "./lists/Platforms.ts"
import { makePerson } from "./lists/SignIn.ts"
import { measureObservability } from "./Observability.ts"
import { compareRoutes, withLivery } from "./RoutesRace.ts"
import { endAll } from "./Servers.ts"
import { timeReports } from "./ReportTimes.ts"
import { compareSql } from "./SqlRace.ts"

const { values: flags } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    connections: { type: "string" },
    turns: { type: "string" },
    part: { type: "string", multiple: true },
    sizes: { type: "string", default: "200,200000" },
    requests: { type: "string" },
    largest: { type: "string", default: "1000000" }
  }
})

const parts = new Set(flags.part ?? ["check", "day", "routes", "shared", "sql", "lists"])
const pace = flags.quick
  ? { rounds: Number(flags.turns ?? 2), seconds: 1 }
  : { rounds: Number(flags.turns ?? 5), seconds: 3 }
const connections = flags.connections?.split(",").map(Number)

const machine = () => {
  const [cpu] = cpus()
  return (
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} × ${cpu?.model.trim()}, ` +
    `${(totalmem() / 1024 ** 3).toFixed(0)} GB; ${pace.rounds} turns of ${pace.seconds} s each`
  )
}

const measureLists = async (bed: Bed) => {
  const { directory, url } = bed
  const [small = 0, large = 0] = flags.sizes.split(",").map(Number)
  const options = { only: flags.only, requests: Number(flags.requests ?? (flags.quick ? 200 : 1_000)) }
  const isMeasured = (name: string) => name.includes(flags.only ?? "")
  const compared = async (all: ReadonlyArray<Compared>, sizes: Sizes) => {
    if (parts.has("pages")) await countPages(url, all, sizes, flags.only)
    if (parts.has("lists")) await compareLists(all, sizes, options)
  }
  if (parts.has("actions") || lists.some(({ name }) => isMeasured(name))) {
    const sizes = [await grow(url, directory, small), await grow(url, directory, large)] as const
    await withLivery(bed, async ({ port }) => {
      await makePerson(directory, url, sizes)
      const api = `http://127.0.0.1:${port}/api/v1`
      await compared(listsOf(api, sizes), sizes)
      // Last, because it changes what the lists show.
      if (parts.has("actions")) {
        await makeAdmin(directory)
        await countActions(bed, api, sizes, flags.only)
      }
    })
  }
  if ((parts.has("lists") || parts.has("pages")) && platformLists.some(isMeasured))
    await withPlatforms(bed, [small, large], (platforms) => compared(listsOfPlatforms(platforms), platforms))
}

const measure = async (bed: Bed) => {
  await mkdir(join(bed.directory, "bench"))
  const choice = { only: flags.only, pace, isCheckOnly: !parts.has("routes") && !parts.has("shared") }
  if (parts.has("check") || parts.has("routes"))
    await compareRoutes(bed, { ...choice, nodes: 1, connections: connections ?? [1, 16, 64] })
  if (parts.has("shared")) await compareRoutes(bed, { ...choice, nodes: 2, connections: connections ?? [16] })
  if (parts.has("day"))
    await compareDay(bed, {
      largest: Number(flags.largest),
      pace: flags.quick ? pace : { rounds: pace.rounds, seconds: 10 },
      connections: connections ?? [16],
      only: flags.only,
      isMemoryRead: !flags.quick
    })
  if (parts.has("notices")) await measureNotices(bed, { largest: Number(flags.largest), pace })
  if (parts.has("sql")) await compareSql(bed, flags.only, pace)
  if (parts.has("reports")) await timeReports(bed, Number(flags.largest))
  if (parts.has("observability"))
    await measureObservability(bed, flags.only, flags.quick ? pace : { rounds: 40, seconds: 1 })
  if (["lists", "pages", "actions"].some((part) => parts.has(part))) await measureLists(bed)
}

report(machine())
// The day and the lists have businesses of their own.
const trips = [...parts].every((part) =>
  ["day", "lists", "pages", "actions", "reports", "notices"].includes(part)
)
  ? 200
  : tripCount
const benchmark = Effect.gen(function* () {
  yield* withoutSessionGroups
  const bed = yield* makeBed(trips, { hasStatistics: parts.has("pages") || parts.has("actions") })
  yield* Effect.promise(() => measure(bed))
}).pipe(Effect.scoped)
const interrupted = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void endAll().finally(() => interrupted.abort()))
await Effect.runPromise(benchmark, { signal: interrupted.signal }).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
process.exit()
