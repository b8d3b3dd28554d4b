/**
 * Measures how much the position reports of a fleet of phones delay other requests.
 *
 *     npm run build && node --conditions=@livery/source bench/driver-locations.ts [drivers] [seconds between reports] [seconds]
 *
 * Starts the executable on an embedded database of its own, with so many drivers under way as rows. Books 20 trips a
 * second and reads 60, in turns of some seconds: without reports, and while every driver reports its position every few seconds,
 * over HTTP and by its own token, from another process. Prints the latencies of both, the p99 of the trip requests with
 * reports as a multiple of that without, and whether every acknowledged report is stored.
 */
import { EmbeddedPostgres } from "@livery/persistence"
import { Console, Effect, Fiber, Redacted, Schedule } from "effect"
import { type ChildProcess, fork, spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { Agent, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Client } from "pg"

const [drivers = 2_000, every = 5, seconds = 8] = process.argv.slice(2).map(Number)
const executable = fileURLToPath(new URL("../packages/cli/bin/livery.js", import.meta.url))
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
const tokenOf = (driver: number) => `drv_bench_${driver}`

interface Asked {
  readonly status: number
  readonly took: number
  readonly text: string
}

const ask = (method: string, url: string, key?: string, body?: unknown) =>
  new Promise<Asked>((resolve) => {
    const began = performance.now()
    const headers = {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" })
    }
    const finish = (status: number, text: string) =>
      resolve({ status, text, took: performance.now() - began })
    request(url, { method, agent, headers }, (response) => {
      let text = ""
      response
        .setEncoding("utf8")
        .on("data", (part: string) => {
          text += part
        })
        .once("end", () => finish(response.statusCode ?? 0, text))
    })
      .once("error", (error) => finish(0, error.message))
      .end(body === undefined ? undefined : JSON.stringify(body))
  })

/** Sends requests at a fixed rate, also while earlier ones wait for their responses. */
const steadily = <A>(rate: number, once: (index: number) => Promise<A>) =>
  Effect.gen(function* () {
    const asked: Array<Promise<A>> = []
    const began = performance.now()
    yield* Effect.sync(() => {
      const due = Math.min(Math.floor(((performance.now() - began) / 1000) * rate), rate * seconds)
      while (asked.length < due) asked.push(once(asked.length))
    }).pipe(
      Effect.repeat({ schedule: Schedule.spaced("2 millis"), while: () => asked.length < rate * seconds })
    )
    return yield* Effect.promise(() => Promise.all(asked))
  })

// ---- the phones: a process of their own ----

/** The result of a turn of reports: their durations, the number acknowledged, and the other responses. */
interface Reported {
  readonly took: ReadonlyArray<number>
  readonly acknowledged: number
  readonly others: ReadonlyArray<string>
}

let reports = 0
const report = (api: string) => {
  const number = (reports += 1)
  return ask("POST", `${api}/driver/location?token=${tokenOf(number % drivers)}`, undefined, {
    lat: 47 + number / 1_000_000,
    lng: 8.5,
    accuracy: 5,
    speed: 13
  })
}

const phones = Effect.fnUntraced(function* (api: string) {
  const answers = yield* steadily(drivers / every, () => report(api))
  const isAcknowledged = ({ status, text }: Asked) => status === 200 && text.includes('"recorded":true')
  const reported: Reported = {
    took: answers.map(({ took }) => took),
    acknowledged: answers.filter(isAcknowledged).length,
    others: answers.filter((answer) => !isAcknowledged(answer)).map(({ status, text }) => `${status} ${text}`)
  }
  process.send?.(reported)
})

// ---- the rest: the server, the rows, what is measured ----

const settings = {
  PORT: "0",
  RATE_LIMIT_BUSINESS: "100000000",
  RATE_LIMIT_AUTH: "100000000",
  RATE_LIMIT_PUBLIC: "100000000",
  LOG_LEVEL: "error"
}

const directory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "livery-phones-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** The server on an empty directory. Its greeting contains the address and the demonstration business's key. */
const server = (path: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly api: string; readonly key: string; readonly child: ChildProcess }>(
      (resume) => {
        const child = spawn(process.execPath, [executable, "serve"], {
          env: { ...process.env, ...settings, LIVERY_DATA_DIR: join(path, "data") },
          stdio: ["ignore", "pipe", "inherit"]
        })
        let said = ""
        child.stdout.setEncoding("utf8").on("data", (text: string) => {
          said += text
          const api = /http:\/\/\S+\/api\/v1/u.exec(said)?.[0]
          const key = /lvk_[\w-]{43}/u.exec(said)?.[0]
          if (api !== undefined && key !== undefined) resume(Effect.succeed({ api, key, child }))
        })
      }
    ),
    ({ child }) =>
      Effect.callback<void>((resume) => {
        child.once("close", () => resume(Effect.void))
        child.kill("SIGTERM")
      })
  )

const database = (path: string) =>
  Effect.gen(function* () {
    const { url } = yield* EmbeddedPostgres.open({ directory: join(path, "data") })
    return yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const client = new Client({ connectionString: Redacted.value(url) })
        await client.connect()
        return client
      }),
      (client) => Effect.promise(() => client.end())
    )
  })

/** Every driver on a trip of its own, under way, with a token that is known here. */
const fleet = (client: Client) =>
  Effect.promise(async () => {
    await client.query(`
      WITH business AS (SELECT business_id FROM businesses ORDER BY business_id LIMIT 1), trip AS (
        INSERT INTO trips (business_id, reference, status, driver_status, payment_status, trip_type, trip_date,
          pickup_address, dropoff_address, customer_name, currency, created_at, updated_at)
        SELECT business_id, 'BENCH-' || n, 'in_progress', 'en_route', 'unpaid', 'transfer', now(), 'a', 'b', 'c', 'USD',
          now(), now()
        FROM business, generate_series(0, ${drivers - 1}) n
        RETURNING business_id, trip_id, substr(reference, 7)::int AS n
      ), driver AS (
        INSERT INTO drivers (business_id, name, created_at, updated_at)
        SELECT business_id, 'Driver ' || n, now(), now() FROM business, generate_series(0, ${drivers - 1}) n
        RETURNING business_id, driver_id, substr(name, 8)::int AS n
      )
      INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, token_hash, created_at,
        en_route_at)
      SELECT t.business_id, t.trip_id, d.driver_id, 'en_route', now(), now() + interval '1 hour',
        encode(sha256(convert_to('${tokenOf(0).slice(0, -1)}' || t.n, 'UTF8')), 'hex'), now(), now()
      FROM trip t JOIN driver d USING (n)`)
    await client.query("ANALYZE trips, drivers, assignments, driver_positions, driver_trail")
  })

const quantile = (values: ReadonlyArray<number>, part: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(part * values.length) - 1] ?? Number.NaN

const figures = (title: string, values: ReadonlyArray<number>) =>
  Console.log(
    `${title}: ${values.length}, median ${quantile(values, 0.5).toFixed(1)} ms,`,
    `p99 ${quantile(values, 0.99).toFixed(1)} ms, most ${quantile(values, 1).toFixed(1)} ms`
  )

/** The durations of requests for trips, over all turns of one kind. */
const measured = () => ({ booked: [] as Array<number>, read: [] as Array<number>, bad: 0 })
type Measured = ReturnType<typeof measured>

const trip = {
  trip_date: "2031-05-04T09:30:00Z",
  pickup_address: "Airport",
  dropoff_address: "Hotel",
  customer_name: "Ada"
}

const turn = Effect.fnUntraced(function* (api: string, key: string, into: Measured) {
  let last = 1
  const book = async () => {
    const answer = await ask("POST", `${api}/trips`, key, trip)
    last = Number(/"trip_id":(\d+)/u.exec(answer.text)?.[1] ?? last)
    return answer
  }
  const [booked, read] = yield* Effect.all(
    [steadily(20, book), steadily(60, () => ask("GET", `${api}/trips/${last}`, key))],
    { concurrency: "unbounded" }
  )
  into.booked.push(...booked.map(({ took }) => took))
  into.read.push(...read.map(({ took }) => took))
  into.bad += [...booked, ...read].filter(({ status }) => status >= 300 || status === 0).length
})

/** A turn of the phones, in their own process, which starts on a message from here. */
const phonesElsewhere = (api: string) =>
  Effect.acquireRelease(
    Effect.sync(() => fork(import.meta.filename, process.argv.slice(2))),
    (child) => Effect.sync(() => child.kill())
  ).pipe(
    Effect.map((child) =>
      Effect.callback<Reported>((resume) => {
        child.once("message", (received) => resume(Effect.succeed(received as Reported)))
        child.send(api)
      })
    )
  )

const bench = Effect.gen(function* () {
  const path = yield* directory
  const { api, key } = yield* server(path)
  const client = yield* database(path)
  yield* fleet(client)
  const report = yield* phonesElsewhere(api)
  const [calm, busy] = [measured(), measured()]
  const sent: Array<Reported> = []
  // Warms the server up, because V8 has not optimized its code yet.
  sent.push((yield* Effect.all([report, turn(api, key, measured())], { concurrency: 2 }))[0])
  for (let round = 0; round < 2; round++) {
    yield* turn(api, key, calm)
    const reporting = yield* Effect.forkChild(report)
    yield* turn(api, key, busy)
    sent.push(yield* Fiber.join(reporting))
  }
  yield* figures("calm, POST /trips", calm.booked)
  yield* figures("calm, GET /trips/{id}", calm.read)
  yield* figures(`${drivers} phones, POST /trips`, busy.booked)
  yield* figures(`${drivers} phones, GET /trips/{id}`, busy.read)
  yield* figures(
    `${drivers} phones, POST /driver/location`,
    sent.slice(1).flatMap(({ took }) => took)
  )
  const ratio = (of: "booked" | "read") => (quantile(busy[of], 0.99) / quantile(calm[of], 0.99)).toFixed(2)
  yield* Console.log(`p99 with the phones to without: POST ${ratio("booked")}, GET ${ratio("read")}`)
  const acknowledged = sent.reduce((sum, turn) => sum + turn.acknowledged, 0)
  const { rows } = yield* Effect.promise(() =>
    client.query<{ readonly kept: string }>("SELECT count(*) AS kept FROM driver_trail")
  )
  yield* Console.log(`reports: ${acknowledged} acknowledged, ${rows[0]?.kept} stored`)
  for (const other of new Set(sent.flatMap(({ others }) => others))) yield* Console.log(`answered: ${other}`)
  if (calm.bad + busy.bad > 0) yield* Console.log(`${calm.bad + busy.bad} answers were not as they should be`)
})

if (process.send === undefined) {
  await Effect.runPromise(Effect.scoped(bench))
  agent.destroy()
} else process.on("message", (api) => void Effect.runPromise(phones(String(api))))
