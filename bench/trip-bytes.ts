/**
 * Measures the bytes that a trip with five events takes, by table, and the share of updates that are HOT: they write no index.
 *
 *     npm run build && node --conditions=@livery/source bench/trip-bytes.ts [trips] [statement …]
 *
 * Each trip is booked, assigned, under way, changed and completed over HTTP. One endpoint subscribes to every event, and a receiver on
 * this machine acknowledges each delivery. The statements run before the trips, to try a storage parameter or another index.
 */
import { livery } from "@livery/client"
import { Effect } from "effect"
import { createServer } from "node:http"
import { once } from "node:events"
import { setTimeout as pause } from "node:timers/promises"
import { ask, cluster } from "./webhooks/Cluster.ts"
import { executable } from "./api/Servers.ts"
import { spawn } from "node:child_process"

const trips = Number(process.argv[2] ?? 1000)
const experiments = process.argv.slice(3)
const atOnce = 8

const sizes = `
  select coalesce(r.relname, c.relname) as name, sum(pg_relation_size(c.oid))::float8 as heap, sum(pg_indexes_size(c.oid))::float8 as indexes,
    sum(pg_total_relation_size(c.oid) - pg_relation_size(c.oid) - pg_indexes_size(c.oid))::float8 as other
  from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class r on r.oid = i.inhparent
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1`

const updates = `
  select relname as name, n_tup_upd::float8 as updates, n_tup_hot_upd::float8 as hot from pg_stat_user_tables where n_tup_upd > 0`

const receiver = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = createServer((request, response) => {
      request.resume().on("end", () => response.writeHead(204).end())
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    return { server, port: typeof address === "object" && address !== null ? address.port : 0 }
  }),
  ({ server }) => Effect.sync(() => server.close())
)

/** `livery serve` with its workers, on the database of a directory. */
const serving = (directory: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn(process.execPath, [executable, "serve"], {
        env: {
          ...process.env,
          PORT: "0",
          LIVERY_DATA_DIR: directory,
          DATABASE_URL: "",
          WEBHOOKS_ALLOW_INSECURE: "true",
          RATE_LIMIT_BUSINESS: "1000000"
        },
        stdio: ["ignore", "pipe", "ignore"]
      })
      let said = ""
      child.stdout.on("data", (chunk: Buffer) => {
        said += chunk.toString()
      })
      while (!/http:\S+\/api\/v1/u.test(said) || !/lvk_[\w-]+(?=\s)/u.test(said)) await pause(50)
      return {
        child,
        baseUrl: String(/http:\S+\/api\/v1/u.exec(said)?.[0]),
        apiKey: String(/lvk_[\w-]+(?=\s)/u.exec(said)?.[0])
      }
    }),
    ({ child }) =>
      Effect.promise(async () => {
        const gone = once(child, "exit")
        child.kill("SIGTERM")
        await gone
      })
  )

const places = [
  ["Bahnhofstrasse 1, 8001 Zürich", 47.3769, 8.5417],
  ["Zürich Flughafen, Terminal 2, 8058 Zürich", 47.4502, 8.5617]
] as const

const bench = Effect.gen(function* () {
  const { directory, url } = yield* cluster
  const { port } = yield* receiver
  const { apiKey, baseUrl } = yield* serving(directory)
  yield* Effect.promise(async () => {
    await ask(url, "update plans set cars = null, drivers = null")
    const api = livery({ baseUrl, apiKey })
    const post = async (path: string, body: unknown, method = "POST") => {
      const answer = await fetch(`${baseUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
        body: JSON.stringify(body)
      })
      const content = (await answer.json()) as { readonly data: Readonly<Record<string, unknown>> }
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(content)}`)
      return content.data
    }
    await api.webhooks.create({
      url: `http://127.0.0.1:${port}/`,
      events: ["trip.created", "trip.updated", "trip.completed", "driver.assigned"]
    })
    const car = await post("/cars", { name: "S-Class" })
    const drivers: Array<unknown> = []
    for (let n = 0; n < 20; n++)
      drivers.push(
        (await post("/drivers", { name: `Driver ${n}`, email: `driver${n}@example.com` }))["driver_id"]
      )
    for (const statement of experiments) await ask(url, statement)
    const before = await ask(url, "vacuum", sizes)
    const [events] = await ask(url, "select count(*)::int as n from event_history")
    let next = 0
    const worker = async () => {
      for (let n = next++; n < trips; n = next++) {
        const at = new Date(Date.UTC(2027, 0, 1) + n * 1_800_000).toISOString()
        const { trip_id } = await post("/trips", {
          trip_date: at,
          duration_minutes: 20,
          pickup_address: places[n % 2]?.[0],
          pickup_lat: places[n % 2]?.[1],
          pickup_lng: places[n % 2]?.[2],
          dropoff_address: places[(n + 1) % 2]?.[0],
          dropoff_lat: places[(n + 1) % 2]?.[1],
          dropoff_lng: places[(n + 1) % 2]?.[2],
          customer_name: `Ada Lovelace ${n}`,
          customer_email: `ada${n}@example.com`,
          customer_phone: "+41441234567",
          flight_number: `LX${1000 + (n % 900)}`,
          car_id: car["car_id"],
          total_amount: 129,
          participants_count: 2,
          notes: "Meet at the arrivals hall, with a sign."
        })
        const path = `/trips/${String(trip_id)}`
        const driver_id = drivers[n % drivers.length]
        await post(`${path}/drivers`, { driver_ids: [driver_id], force: true })
        await post(path, { notes: "Meet at the arrivals hall, exit 1, with a sign." }, "PATCH")
        await post(`${path}/driver-status`, { driver_id, status: "en_route" }, "PATCH")
        await post(`${path}/driver-status`, { driver_id, status: "completed" }, "PATCH")
      }
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    const open = `select (select count(*) from webhook_deliveries where status = 'pending') + (select count(*) from events where position is null and not sample) as n`
    while (Number((await ask(url, open))[0]?.["n"]) > 0) await pause(200)
    await pause(1500)
    const [all] = await ask(url, "select count(*)::int as n from event_history")
    const changed = await ask(url, updates)
    const after = await ask(url, "vacuum", sizes)
    const grown = after
      .map((row) => {
        const old = before.find(({ name }) => name === row["name"])
        const of = (part: string) => (Number(row[part]) - Number(old?.[part] ?? 0)) / trips
        return { name: String(row["name"]), heap: of("heap"), indexes: of("indexes"), other: of("other") }
      })
      .map((row) => ({ ...row, total: row.heap + row.indexes + row.other }))
      .filter(({ total }) => total > 20)
      .toSorted((a, b) => b.total - a.total)
    const lines = [
      `${trips} trips, ${((Number(all?.["n"]) - Number(events?.["n"])) / trips).toFixed(2)} events each`,
      ...grown.map(
        ({ heap, indexes, name, other, total }) =>
          `${name.padEnd(28)} ${total.toFixed(0).padStart(6)} bytes: heap ${heap.toFixed(0)}, indexes ${indexes.toFixed(0)}, other ${other.toFixed(0)}`
      ),
      `total ${grown.reduce((sum, { total }) => sum + total, 0).toFixed(0)} bytes a trip`,
      ...changed
        .filter(({ name }) =>
          grown.some(
            (row) =>
              row.name === name ||
              String(name).startsWith("events") ||
              String(name).startsWith("webhook_deliveries")
          )
        )
        .map(
          ({ hot, name, updates: count }) =>
            `${String(name).padEnd(28)} ${(Number(count) / trips).toFixed(1)} updates a trip, ${((100 * Number(hot)) / Number(count)).toFixed(0)} % HOT`
        )
    ]
    process.stdout.write(`${lines.join("\n")}\n`)
  })
})

await Effect.runPromise(Effect.scoped(bench))
