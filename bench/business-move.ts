/**
 * Measures how long a business takes no changes while `livery move` moves it, by its number of trips.
 *
 *     npm run build && node --conditions=@livery/source bench/business-move.ts [trips …]
 *
 * Each trip has its search words and an entry of its timeline; both installations run on this machine, each with a database of its own.
 * With `--statements`, it prints the statements that took the most time at the target and at the source.
 */
import { Effect } from "effect"
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { executable } from "./api/Servers.ts"
import { ask, cluster } from "./webhooks/Cluster.ts"

const sizes = process.argv.slice(2).filter((word) => /^\d+$/u.test(word))
const showsStatements = process.argv.includes("--statements")

const settingsOf = (directory: string) => ({
  ...process.env,
  LIVERY_DATA_DIR: directory,
  XDG_CONFIG_HOME: join(directory, "configuration"),
  DATABASE_URL: "",
  PORT: "0",
  WORKERS_PORT: "0"
})

/** `livery serve` with its workers, on the database of a directory. */
const serving = (directory: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn(process.execPath, [executable, "serve"], {
        env: settingsOf(directory),
        stdio: ["ignore", "pipe", "ignore"]
      })
      let said = ""
      child.stdout.on("data", (chunk: Buffer) => {
        said += chunk.toString()
      })
      while (!/http:\S+\/api\/v1/u.test(said) || !/lvk_[\w-]+(?=\s)/u.test(said)) await pause(50)
      const baseUrl = String(/http:\S+\/api\/v1/u.exec(said)?.[0])
      return { child, baseUrl, apiKey: String(/lvk_[\w-]+(?=\s)/u.exec(said)?.[0]) }
    }),
    ({ child }) =>
      Effect.promise(async () => {
        const gone = once(child, "exit")
        child.kill("SIGTERM")
        await gone
      })
  )

/** Runs a command to its end, and returns what it printed. */
const livery = (directory: string, args: ReadonlyArray<string>, input = "") =>
  new Promise<string>((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [executable, ...args],
      { env: settingsOf(directory) },
      (error, stdout, stderr) => (error === null ? resolve(stdout) : reject(new Error(stderr)))
    )
    child.stdin?.end(input)
  })

const password = "bletchley park"

/** Copies the one trip of a business, with its search words and its timeline, until there are so many. */
const multiply = (trips: number) => {
  const copyOf = (table: string, own: Readonly<Record<string, string>>) => `
    insert into ${table} overriding system value
    select (jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object(${Object.entries(own)
      .map(([column, value]) => `'${column}', ${value}`)
      .join(", ")}))).*
    from ${table} t, generate_series(1, ${trips - 1}) n where t.trip_id = (select min(trip_id) from trips)`
  return [
    copyOf("trips", {
      trip_id: "t.trip_id + n",
      reference: "'N-' || n",
      trip_date: "t.trip_date + n * interval '1 hour'"
    }),
    copyOf("trip_search", { trip_id: "t.trip_id + n" }),
    copyOf("trip_changes", { trip_id: "t.trip_id + n" }),
    "analyze"
  ]
}

const slowest = `
  select round(total_exec_time)::int as ms, calls::int, left(regexp_replace(query, '\\s+', ' ', 'g'), 110) as statement
  from pg_stat_statements order by total_exec_time desc limit 8`

const measured = (trips: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const [source, target] = [yield* cluster, yield* cluster]
      const { apiKey, baseUrl } = yield* serving(source.directory)
      const there = yield* serving(target.directory)
      yield* Effect.promise(async () => {
        await ask(source.url, "update plans set cars = null, drivers = null")
        const booked = await fetch(`${baseUrl}/trips`, {
          method: "POST",
          headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
          body: JSON.stringify({
            trip_date: "2031-05-04T09:30:00Z",
            pickup_address: "Airport, Terminal 1",
            dropoff_address: "Grand Hotel",
            customer_name: "Ada Lovelace",
            total_amount: 129.5
          })
        })
        if (booked.status !== 201) throw new Error(await booked.text())
        await ask(source.url, ...multiply(trips))
        const url = new URL(there.baseUrl).origin
        const root = ["--name", "Root", "--email", "root@example.com", "--account-type", "S"]
        await livery(target.directory, ["users", "create", ...root], `${password}\n`)
        await livery(
          source.directory,
          ["login", "--url", url, "--email", "root@example.com"],
          `${password}\n`
        )
        for (const place of [source, target]) await ask(place.url, "select pg_stat_statements_reset()")
        const began = performance.now()
        const args = ["--business", "1", "--to", url, "--slug", "moved", "--yes", "--json"]
        const moved = JSON.parse(await livery(source.directory, ["move", ...args])) as Record<string, number>
        const whole = performance.now() - began
        process.stdout.write(
          `${trips} trips, ${moved["rows"]} rows: no changes for ${((moved["paused_ms"] ?? 0) / 1000).toFixed(1)} s, ` +
            `the command took ${(whole / 1000).toFixed(1)} s with its last 40 s of waiting\n`
        )
        if (showsStatements)
          for (const [name, place] of Object.entries({ source, target }))
            process.stdout.write(
              `${name}\n${(await ask(place.url, slowest)).map(({ ms, calls, statement }) => `  ${String(ms)} ms, ${String(calls)} calls: ${String(statement)}`).join("\n")}\n`
            )
      })
    })
  )

for (const trips of sizes.length > 0 ? sizes : ["1000", "5000", "20000"])
  await Effect.runPromise(measured(Number(trips)))
