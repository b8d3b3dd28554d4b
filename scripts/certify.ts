/**
 * `npm run certify`: tries each recorded statement on the distributed database of DATABASE_URL, each in a transaction that is rolled
 * back, and marks in the record which ones it accepts (docs/operations/growth.md). On a plain PostgreSQL it marks none.
 */
import { Client } from "pg"
import { certify, marked } from "./statements/Certification.ts"
import { readRecord, writeRecord } from "./statements/Record.ts"

const { DATABASE_URL: connectionString } = process.env
if (connectionString === undefined)
  throw new Error("DATABASE_URL is missing: name a database that is distributed")

const client = new Client({ connectionString, application_name: "livery certify" })
await client.connect()
const query = async (text: string, values: ReadonlyArray<string> = []) =>
  (await client.query<Record<string, unknown>>(text, [...values])).rows
await query("SET statement_timeout = '30s'")
// As in the sessions of Livery.
await query("SET citus.multi_shard_modify_mode = 'sequential'")
const [server] = await query(`
  SELECT current_setting('server_version') AS postgres,
    (SELECT extversion FROM pg_extension WHERE extname = 'citus') AS citus`)
const trials = await certify(query, readRecord())
await client.end()

const refused = trials.filter((trial) => trial.outcome === "refused")
for (const { entry, reason } of refused)
  process.stderr.write(`${entry.name} is refused: ${reason}\n  ${entry.text}\n`)
const accepted = trials.filter(({ outcome }) => outcome === "accepted").length
const postgres = `PostgreSQL ${String(server?.["postgres"])}`
if (typeof server?.["citus"] === "string") {
  writeRecord(marked(trials, `Citus ${server["citus"]} on ${postgres}`))
  process.stdout.write(`${accepted} statements are accepted and marked, ${refused.length} are refused\n`)
} else {
  process.stdout.write(
    `${accepted} statements are accepted, ${refused.length} are refused. None is marked: ${postgres} has no Citus\n`
  )
}
if (refused.length > 0) process.exitCode = 1
