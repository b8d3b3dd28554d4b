/** `POST /trips` on a running `livery serve`, with and without subscribed endpoints; and its statements when idle. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { Agent, request } from "node:http"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { ask, statements } from "./Cluster.ts"
import { quantile, report } from "./Figures.ts"
import type { Receiver } from "./Processes.ts"

const executable = join(import.meta.dirname, "../../packages/cli/bin/livery.js")

const serve = async (directory: string, args: ReadonlyArray<string> = []) => {
  const child = spawn(process.execPath, [executable, "serve", ...args], {
    env: {
      ...process.env,
      PORT: "0",
      LIVERY_DATA_DIR: directory,
      DATABASE_URL: "",
      LOG_LEVEL: "error",
      WEBHOOKS_ALLOW_INSECURE: "true",
      RATE_LIMIT_BUSINESS: "100000000"
    },
    stdio: ["ignore", "pipe", "inherit"]
  })
  let said = ""
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString()
  })
  const find = async (pattern: RegExp) => {
    for (let tries = 0; tries < 1_000; tries++) {
      const found = pattern.exec(said)?.[0]
      if (found !== undefined) return found
      await pause(10)
    }
    throw new Error(`livery did not start: ${said}`)
  }
  return {
    find,
    stop: async () => {
      const gone = once(child, "exit")
      child.kill("SIGTERM")
      await gone
    }
  }
}

const trip = JSON.stringify({
  trip_date: "2031-05-04T09:30:00Z",
  pickup_address: "Airport, Terminal 1",
  dropoff_address: "Grand Hotel",
  customer_name: "Ada Lovelace",
  total_amount: 129.5
})

const endpoints = 10

/** Posts JSON over one of a few kept connections; fails unless it makes something. */
const poster = (api: string, key: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const post = (path: string, body: string) =>
    new Promise<void>((resolve, reject) => {
      const headers = { "Content-Type": "application/json", Authorization: `Bearer ${key}` }
      request(`${api}${path}`, { agent, method: "POST", headers }, (response) => {
        response.resume().on("end", () => {
          if (response.statusCode === 201) resolve()
          else reject(new Error(`POST ${path}: ${response.statusCode}`))
        })
      })
        .on("error", reject)
        .end(body)
    })
  return { post, close: () => agent.destroy() }
}

/** The milliseconds of each request, sent at a fixed rate independent of the responses. */
const bookFor = async (api: string, key: string, rate: number, seconds: number) => {
  const { close, post } = poster(api, key)
  const times: Array<number> = []
  const book = async () => {
    const began = performance.now()
    await post("/trips", trip)
    times.push(performance.now() - began)
  }
  const began = performance.now()
  const asked: Array<Promise<void>> = []
  for (let count = 0; count < rate * seconds; count++) {
    const wait = began + (count * 1000) / rate - performance.now()
    if (wait > 1) await pause(wait)
    asked.push(book())
  }
  await Promise.all(asked)
  close()
  return times
}

type Options = { readonly rates: ReadonlyArray<number>; readonly seconds: number; readonly rounds: number }

/** Alternating turns, so that other work on the machine affects both equally. */
const compare = async (url: string, api: string, key: string, title: string, options: Options) => {
  const subscribe = (status: "enabled" | "disabled") =>
    ask(url, `update webhook_endpoints set status = '${status}'`)
  const settled = async () => {
    const pending = "select count(*)::int as left from webhook_deliveries where status = 'pending'"
    while (Number((await ask(url, pending))[0]?.["left"]) > 0) await pause(100)
  }
  await subscribe("disabled")
  await bookFor(api, key, 100, 5)
  for (const rate of options.rates) {
    const without: Array<number> = []
    const withAll: Array<number> = []
    for (let round = 0; round < options.rounds; round++) {
      await subscribe("disabled")
      without.push(...(await bookFor(api, key, rate, options.seconds)))
      await subscribe("enabled")
      withAll.push(...(await bookFor(api, key, rate, options.seconds)))
      await settled()
    }
    const [none, all] = [quantile(without, 0.99), quantile(withAll, 0.99)]
    report(
      `POST /trips, ${rate} a second, ${title}: p99 ${none.toFixed(1)} ms without endpoints ` +
        `(median ${quantile(without, 0.5).toFixed(1)}), ${all.toFixed(1)} ms with ${endpoints} ` +
        `(median ${quantile(withAll, 0.5).toFixed(1)}): ${(all / none).toFixed(2)} times`
    )
  }
}

/** The directory has to be that of a cluster on which Livery never ran. */
export const bookings = async (
  { directory, url }: { readonly directory: string; readonly url: string },
  receiver: Receiver,
  options: Options
) => {
  const server = await serve(directory)
  const key = await server.find(/lvk_\S+/u)
  const api = await server.find(/http:\/\/\S+\/api\/v1/u)
  const { close, post } = poster(api, key)
  const endpoint = JSON.stringify({ url: receiver.url, events: ["trip.created"] })
  for (let count = 0; count < endpoints; count++) await post("/webhooks", endpoint)
  close()
  await compare(url, api, key, "one process", options)
  await server.stop()

  const workers = await serve(directory, ["--only", "webhooks"])
  const apart = await serve(directory, ["--only", "api"])
  await compare(url, await apart.find(/http:\/\/\S+\/api\/v1/u), key, "dispatcher apart", options)
  await Promise.all([apart.stop(), workers.stop()])

  for (const args of [[], ["--only", "webhooks"]]) {
    const idle = await serve(directory, args)
    await pause(4_000)
    const before = await statements(url)
    await pause(20_000)
    const rate = ((await statements(url)) - before) / 20
    report(`livery ${["serve", ...args].join(" ")}, idle: ${rate.toFixed(2)} statements a second`)
    await idle.stop()
  }
}
