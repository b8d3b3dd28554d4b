import { EmbeddedPostgres } from "@livery/persistence"
import { Effect, Redacted } from "effect"
import { Client } from "pg"
import type { Installation } from "./Installation.ts"

const run = (url: string, statement: string) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      const { rows } = await client.query<Record<string, unknown>>(statement)
      return rows
    } finally {
      await client.end()
    }
  })

/** Runs a statement on the database of an installation, by a connection of its own. */
export const query = (
  { databaseUrl, directory }: Installation,
  statement: string
): Promise<ReadonlyArray<Record<string, unknown>>> =>
  Effect.runPromise(
    databaseUrl === undefined
      ? Effect.scoped(
          Effect.flatMap(EmbeddedPostgres.open({ directory }), ({ url }) =>
            run(Redacted.value(url), statement)
          )
        )
      : run(databaseUrl, statement)
  )

/** The number of rows of each table, except the counters of requests, which refused requests change too. */
export const rowsOf = async (place: Installation): Promise<Readonly<Record<string, number>>> => {
  const rows = await query(
    place,
    `select table_name as name,
            (xpath('/row/n/text()', query_to_xml('select count(*) as n from ' || quote_ident(table_name),
              false, true, '')))[1]::text as count
       from information_schema.tables where table_schema = 'public' and table_name <> 'rate_counters' order by table_name`
  )
  return Object.fromEntries(rows.map(({ count, name }) => [String(name), Number(count)]))
}

/** The tables with a row that contains a text in any column, each with such a row as JSON. */
export const tablesContaining = async (
  place: Installation,
  text: string
): Promise<Readonly<Record<string, string>>> => {
  const tables = await query(
    place,
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'"
  )
  const selects = tables.map(
    ({ name }) => `(select '${String(name)}' as name, to_jsonb(t)::text as text from "${String(name)}" t
      where to_jsonb(t)::text ilike '%${text}%' limit 1)`
  )
  const rows = await query(place, selects.join(" union all "))
  return Object.fromEntries(rows.map((row) => [String(row["name"]), String(row["text"])]))
}

/** Ends the leases of a killed dispatcher's claims, instead of waiting a minute and a half. */
export const expireClaims = (place: Installation) =>
  query(place, "update webhook_deliveries set next_attempt_at = clock_timestamp() where claim_id is not null")

/** The attempts of all deliveries as rows `reported`, for a statement's `from`. */
export const attemptRows =
  "webhook_deliveries d, jsonb_to_recordset(d.attempts) as reported (attempt int, response_status int, error text)"
