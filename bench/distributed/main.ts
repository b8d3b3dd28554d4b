/**
 * Compares a plain and a distributed database, and stops a node under load:
 *
 *     npm run build
 *     node --conditions=@livery/source bench/distributed/main.ts --plain postgresql://… --distributed postgresql://…
 *     node --conditions=@livery/source bench/distributed/main.ts --distributed postgresql://… --minutes 30 \
 *       --node-port 5432 --stop 'a command that kills a node' --start 'a command that starts it'
 *
 * Both databases are migrated before, the second with `livery migrate --distribute`. The runs write businesses of their own.
 * Debian's `wrk` is needed for the comparison. `docs/operations/growth.md` holds the figures.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { endAll, startLivery, startWhole } from "../api/Servers.ts"
import { report } from "../webhooks/Figures.ts"
import { makeCompanies } from "./Businesses.ts"
import { countingReceiver, measureOutage } from "./Outage.ts"
import { compareSpeed } from "./Speed.ts"

const { values: flags } = parseArgs({
  options: {
    plain: { type: "string" },
    distributed: { type: "string" },
    businesses: { type: "string", default: "20" },
    trips: { type: "string", default: "40" },
    connections: { type: "string", default: "1,16" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
    minutes: { type: "string", default: "30" },
    stop: { type: "string" },
    start: { type: "string" },
    "node-port": { type: "string", default: "0" }
  }
})
if (flags.distributed === undefined) throw new Error("--distributed is missing")

const directory = await mkdtemp(join(tmpdir(), "livery-bench-"))
const receiver = await countingReceiver()
const size = { businesses: Number(flags.businesses), trips: Number(flags.trips), receiver: receiver.url }

/** Starts Livery on a database and makes its businesses. */
const side = async (name: string, url: string, isWhole: boolean) => {
  const start = isWhole ? startWhole : startLivery
  const { port } = await start({
    environment: {
      DATABASE_URL: url,
      LIVERY_DATA_DIR: join(directory, name),
      LIVERY_SECRET: "a secret of thirty-two characters",
      WEBHOOKS_ALLOW_INSECURE: "true",
      RATE_LIMIT_BUSINESS: "1000000",
      RATE_LIMIT_PUBLIC: "1000000"
    },
    log: join(directory, `${name}.log`)
  })
  return { port, companies: await makeCompanies(url, port, size) }
}

try {
  if (flags.stop === undefined || flags.start === undefined) {
    if (flags.plain === undefined) throw new Error("--plain is missing")
    const plain = await side("plain", flags.plain, false)
    const distributed = await side("distributed", flags.distributed, false)
    for (const connections of flags.connections.split(",").map(Number))
      await compareSpeed(plain, distributed, {
        connections,
        rounds: Number(flags.rounds),
        seconds: Number(flags.seconds)
      })
  } else {
    const made = await side("distributed", flags.distributed, true)
    await measureOutage(
      { url: flags.distributed, received: receiver.received, ...made },
      {
        minutes: Number(flags.minutes),
        connections: 8,
        stop: flags.stop,
        start: flags.start,
        nodePort: Number(flags["node-port"])
      }
    )
  }
} catch (error) {
  report(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
} finally {
  await endAll()
  receiver.close()
  await rm(directory, { recursive: true, force: true })
}
