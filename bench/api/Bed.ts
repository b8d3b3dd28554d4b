/**
 * The database that both servers serve: a durable embedded PostgreSQL that Livery migrated, with a business of 100,000
 * trips, one endpoint that subscribes to new trips, and drivers under way with a token each.
 */
import { livery, type WebhooksCreateInput } from "@livery/client"
import { EmbeddedPostgres } from "@livery/persistence"
import { Effect, Redacted } from "effect"
import { readFileSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { populate } from "./lists/Population.ts"
import { ask, cluster } from "../webhooks/Cluster.ts"
import { startLivery } from "./Servers.ts"

/** The database and the business that the benchmarks use. */
export interface Bed {
  /** Of the installation; files of the benchmark may be written to it. */
  readonly directory: string
  readonly url: string
  /** The process id of PostgreSQL's postmaster. */
  readonly postmaster: number
  readonly businessId: number
  readonly apiKey: string
  /** Tokens of drivers that are under way. */
  readonly driverTokens: ReadonlyArray<string>
}

/** The number of trips of the business whose routes are measured. */
export const tripCount = 100_000
const driversUnderWay = 200

/** Gives a business that many drivers under way, each with a token, and gives the tokens. */
export const makeDrivers = async (url: string, businessId: number, drivers: number) => {
  const tokens = Array.from(
    { length: drivers },
    (_, driver) => `drv_${businessId}_bench_${String(driver).padStart(37, "0")}`
  )
  await ask(
    url,
    `with trip as (
       insert into trips (business_id, reference, status, driver_status, payment_status, trip_type, trip_date,
         pickup_address, dropoff_address, customer_name, currency, created_at, updated_at)
       select ${businessId}, 'BENCH-' || n, 'in_progress', 'en_route', 'unpaid', 'transfer', now(), 'a', 'b', 'c', 'CHF',
         now(), now()
       from generate_series(0, ${drivers - 1}) n
       returning business_id, trip_id, substr(reference, 7)::int as n
     ), driver as (
       insert into drivers (business_id, name, created_at, updated_at)
       select ${businessId}, 'Under way ' || n, now(), now() from generate_series(0, ${drivers - 1}) n
       returning business_id, driver_id, substr(name, 11)::int as n
     )
     insert into assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, token_hash, created_at,
       en_route_at)
     select t.business_id, t.trip_id, d.driver_id, 'en_route', now(), now() + interval '1 hour',
       encode(sha256(convert_to('drv_${businessId}_bench_' || lpad(t.n::text, 37, '0'), 'UTF8')), 'hex'), now(), now()
     from trip t join driver d using (n)`
  )
  return tokens
}

/** Subscribes one endpoint to events. Nothing is ever sent to it: the workers do not run. */
export const subscribe = async (port: number, apiKey: string, events: WebhooksCreateInput["events"]) => {
  const client = livery({ baseUrl: `http://127.0.0.1:${port}/api/v1`, apiKey })
  await client.webhooks.create({ url: "https://receiver.example.com/", events })
}

/** The file with Livery's OpenAPI document, from which the peer takes the fields of its answers. */
export const openApiOf = (directory: string) => join(directory, "openapi.json")

const temporaryDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "livery-bench-"))),
  (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
)

const durable = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const opened = yield* EmbeddedPostgres.open({ directory })
  return { directory, url: Redacted.value(opened.url) }
})

/**
 * Makes the database and fills it with that many trips. It is removed with the scope. With `hasStatistics`, PostgreSQL has
 * `pg_stat_statements`.
 */
export const makeBed = Effect.fnUntraced(function* (trips: number, { hasStatistics = false } = {}) {
  const { directory, url } = yield* hasStatistics ? cluster : durable
  return yield* Effect.promise(async (): Promise<Bed> => {
    // Livery's first start makes the schema.
    const livery = await startLivery({
      environment: { LIVERY_DATA_DIR: directory, DATABASE_URL: "" },
      log: join(directory, "setup.log")
    })
    const { businessId, key: apiKey } = await populate(url, directory, trips)
    await ask(url, `update businesses set timezone = 'Europe/Zurich' where business_id = ${businessId}`)
    const driverTokens = await makeDrivers(url, businessId, driversUnderWay)
    await subscribe(livery.port, apiKey, ["trip.created"])
    const document = await fetch(`http://127.0.0.1:${livery.port}/openapi.json`)
    await writeFile(openApiOf(directory), await document.text())
    await livery.stop()
    await ask(url, "vacuum analyze")
    const [row] = await ask(url, "show data_directory")
    const [postmaster] = readFileSync(join(String(row?.["data_directory"]), "postmaster.pid"), "utf8").split(
      "\n"
    )
    return { directory, url, postmaster: Number(postmaster), businessId, apiKey, driverTokens }
  })
})
