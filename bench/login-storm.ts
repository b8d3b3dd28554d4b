/**
 * Measures how much many wrong logins at once delay other requests.
 *
 *     npm run build && node bench/login-storm.ts [logins at once] [seconds]
 *
 * Starts the executable on an embedded database of its own. Sends `GET /ping` with an API key 100 times a second and
 * `GET /me` with an access token 50 times, and books 20 trips a second, each with a webhook; first without logins, then
 * while that many wrong logins are under way at all times, half of them for an account that exists. Prints the latencies
 * of both. The load comes from the same machine. A thread of its own sends the logins, so that sending them does not
 * delay the measurement.
 */
import { Console, Effect, Fiber, Schedule } from "effect"
import { execFile, spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { Agent, createServer, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads"

const [atOnce = 200, seconds = 10] = process.argv.slice(2).map(Number)
const executable = fileURLToPath(new URL("../packages/cli/bin/livery.js", import.meta.url))
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

const directory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "livery-storm-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

const settings = {
  PORT: "0",
  WEBHOOKS_ALLOW_INSECURE: "true",
  RATE_LIMIT_BUSINESS: "100000000",
  RATE_LIMIT_AUTH: "100000000",
  RATE_LIMIT_PUBLIC: "100000000",
  LOG_LEVEL: "error"
}

interface Installed {
  readonly api: string
  readonly key: string
}

interface Signed extends Installed {
  /** A user's access token. */
  readonly token: string
}

/** The server on an empty directory. Its greeting contains the address and the demonstration business's key. */
const server = (path: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly installed: Installed; readonly stop: () => Promise<void> }>((resume) => {
      const child = spawn(process.execPath, [executable, "serve"], {
        env: { ...process.env, ...settings, LIVERY_DATA_DIR: join(path, "data") },
        stdio: ["ignore", "pipe", "inherit"]
      })
      const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
      let said = ""
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        said += text
        const api = /http:\/\/\S+\/api\/v1/u.exec(said)?.[0]
        const key = /lvk_[\w-]{43}/u.exec(said)?.[0]
        if (api === undefined || key === undefined) return
        const stop = () => {
          child.kill("SIGTERM")
          return ended
        }
        resume(Effect.succeed({ installed: { api, key }, stop }))
      })
    }),
    ({ stop }) => Effect.promise(stop)
  )

interface Asked {
  readonly status: number
  readonly took: number
}

const ask = (method: string, url: string, key?: string, body?: unknown) =>
  Effect.promise(
    () =>
      new Promise<Asked>((resolve) => {
        const began = performance.now()
        const headers = {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" })
        }
        const finish = (status: number) => resolve({ status, took: performance.now() - began })
        request(url, { method, agent, headers }, (response) => {
          response.resume().once("end", () => finish(response.statusCode ?? 0))
        })
          .once("error", () => finish(0))
          .end(body === undefined ? undefined : JSON.stringify(body))
      })
  )

/** A user who has signed in: its access token. */
const signedIn = Effect.fnUntraced(function* (path: string, api: string, email: string) {
  const password = "correct horse battery"
  const user = ["users", "create", "--name", "Storm", "--email", email, "--password", password]
  const env = { ...process.env, ...settings, LIVERY_DATA_DIR: join(path, "data") }
  yield* Effect.promise(() => promisify(execFile)(process.execPath, [executable, ...user], { env }))
  return yield* Effect.promise(async () => {
    const response = await fetch(`${api}/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, password })
    })
    const { data } = (await response.json()) as { readonly data: { readonly access_token: string } }
    return data.access_token
  })
})

/** The start of the request that books a trip, by the name of the trip in its event, in milliseconds. */
const booked = new Map<string, number>()
/** From the start of each booking to its webhook, in milliseconds. */
const delays: Array<number> = []

const receiver = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
    const made = createServer((incoming, response) => {
      let body = ""
      incoming.setEncoding("utf8").on("data", (text: string) => {
        body += text
      })
      incoming.on("end", () => {
        const began = booked.get(/bench-\d+/u.exec(body)?.[0] ?? "")
        if (began !== undefined) delays.push(performance.now() - began)
        response.writeHead(204).end()
      })
    }).listen(0, "127.0.0.1", () => {
      const address = made.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const close = () => {
        made.close()
        made.closeAllConnections()
      }
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}/`, close }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

const quantile = (values: ReadonlyArray<number>, part: number) => {
  const sorted = values.toSorted((a, b) => a - b)
  return `${(sorted[Math.ceil(part * sorted.length) - 1] ?? Number.NaN).toFixed(1)} ms`
}
const report = (title: string, values: ReadonlyArray<number>) =>
  Console.log(
    `${title}: ${values.length}, median ${quantile(values, 0.5)}, p99 ${quantile(values, 0.99)}, most ${quantile(values, 1)}`
  )

/** Sends requests at a fixed rate, also while earlier ones wait for their responses. */
const steadily = <A>(rate: number, once: (index: number) => Effect.Effect<A>) =>
  Effect.gen(function* () {
    const asked: Array<Fiber.Fiber<A>> = []
    const began = performance.now()
    yield* Effect.suspend(() => {
      const due = Math.min(Math.floor(((performance.now() - began) / 1000) * rate), rate * seconds)
      return Effect.forEach(
        Array.from({ length: due - asked.length }, (_, index) => asked.length + index),
        (index) => Effect.map(Effect.forkChild(once(index)), (fiber) => void asked.push(fiber)),
        { discard: true }
      )
    }).pipe(
      Effect.repeat({ schedule: Schedule.spaced("2 millis"), while: () => asked.length < rate * seconds })
    )
    return yield* Effect.forEach(asked, (fiber) => Fiber.join(fiber))
  })

let trips = 0
const trip = ({ api, key }: Installed) =>
  Effect.suspend(() => {
    const name = `bench-${(trips += 1)}`
    booked.set(name, performance.now())
    return ask("POST", `${api}/trips`, key, {
      trip_date: "2031-05-04T09:30:00Z",
      pickup_address: "Airport",
      dropoff_address: "Hotel",
      customer_name: name
    })
  })

const usual = Effect.fnUntraced(function* (title: string, installed: Signed) {
  delays.length = 0
  const [pings, users, made] = yield* Effect.all(
    [
      steadily(100, () => ask("GET", `${installed.api}/ping`, installed.key)),
      steadily(50, () => ask("GET", `${installed.api}/me`, installed.token)),
      steadily(20, () => trip(installed))
    ],
    { concurrency: "unbounded" }
  )
  yield* Effect.suspend(() =>
    delays.length < made.length ? Effect.fail("not yet" as const) : Effect.void
  ).pipe(Effect.retry(Schedule.spaced("20 millis").pipe(Schedule.upTo({ times: 500 }))), Effect.ignore)
  const bad = [...pings, ...users, ...made].filter(({ status }) => status >= 300 || status === 0).length
  yield* report(
    `${title}, GET /ping`,
    pings.map(({ took }) => took)
  )
  yield* report(
    `${title}, GET /me`,
    users.map(({ took }) => took)
  )
  yield* report(
    `${title}, POST /trips`,
    made.map(({ took }) => took)
  )
  yield* report(`${title}, from the booking to its webhook`, delays)
  if (bad > 0) yield* Console.log(`${title}: ${bad} answers were not as they should be`)
})

interface Target {
  readonly api: string
  /** The email of an account that exists. */
  readonly known: string
}

const storm = ({ api, known }: Target) =>
  Effect.gen(function* () {
    const answers: Array<Asked> = []
    const once = (index: number) =>
      ask("POST", `${api}/auth/login`, undefined, {
        email: index % 2 === 0 ? known : `nobody-${index}@example.com`,
        password: `wrong ${index}`
      }).pipe(Effect.tap((answer) => Effect.sync(() => answers.push(answer))))
    yield* Effect.forEach(
      Array.from({ length: atOnce }, (_, index) => index),
      once,
      {
        concurrency: "unbounded"
      }
    ).pipe(Effect.repeat(Schedule.forever), Effect.timeoutOption(`${seconds} seconds`))
    return answers
  })

/** The wrong logins, sent by a thread of their own. */
const stormElsewhere = (target: Target) =>
  Effect.callback<ReadonlyArray<Asked>>((resume) => {
    const sender = new Worker(import.meta.filename, { argv: process.argv.slice(2), workerData: target })
    sender.once("message", (answers) => resume(Effect.succeed(answers)))
    sender.once("error", (error) => resume(Effect.die(error)))
  })

const bench = Effect.gen(function* () {
  const path = yield* directory
  const { url } = yield* receiver
  const { installed } = yield* server(path)
  const { api, key } = installed
  const known = "storm@example.com"
  const token = yield* signedIn(path, api, known)
  yield* ask("POST", `${api}/webhooks`, key, { url, events: ["trip.created"] })
  // Warms the server up, because V8 has not optimized its code yet.
  const wrong = { email: known, password: "wrong" }
  for (let times = 0; times < 100; times++) {
    yield* ask("GET", `${api}/ping`, key)
    yield* ask("POST", `${api}/auth/login`, undefined, wrong)
  }

  const signed = { ...installed, token }
  yield* usual("calm", signed)
  const stormy = yield* Effect.forkChild(stormElsewhere({ api, known }))
  yield* usual(`storm of ${atOnce}`, signed)
  const logins = yield* Fiber.join(stormy)
  const reported = Map.groupBy(logins, ({ status }) => status)
  yield* Console.log(
    `logins: ${[...reported].map(([status, those]) => `${those.length} times ${status}`).join(", ") || "none answered"}`
  )
  for (const [status, those] of reported)
    yield* report(
      `logins answered ${status}`,
      those.map(({ took }) => took)
    )
})

if (isMainThread) await Effect.runPromise(Effect.scoped(bench))
else parentPort?.postMessage(await Effect.runPromise(storm(workerData)), [])
agent.destroy()
