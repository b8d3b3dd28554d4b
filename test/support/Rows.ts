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

/** Runs a statement on the database of an installation, past everything that is under test. */
export const ask = (
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

/** How many rows each table holds, but for the counters of requests, which a refused one moves as well. */
export const rowsOf = async (place: Installation): Promise<Readonly<Record<string, number>>> => {
  const rows = await ask(
    place,
    `select table_name as name,
            (xpath('/row/n/text()', query_to_xml('select count(*) as n from ' || quote_ident(table_name),
              false, true, '')))[1]::text as count
       from information_schema.tables where table_schema = 'public' and table_name <> 'rate_counters' order by table_name`
  )
  return Object.fromEntries(rows.map(({ count, name }) => [String(name), Number(count)]))
}

/** Lets the time pass for which a killed dispatcher's claims are waited for: a minute and a half. */
export const letClaimsLapse = (place: Installation) =>
  ask(place, "update webhook_deliveries set next_attempt_at = clock_timestamp() where claim_id is not null")

/** What is told of the attempts of all deliveries, as rows, for a statement's `from`. */
export const attemptsTold =
  "webhook_deliveries d, jsonb_to_recordset(d.attempts) as told (attempt int, response_status int, error text)"
