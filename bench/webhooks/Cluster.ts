/** The PostgreSQL of the benchmarks: the embedded one, durable, with `pg_stat_statements` loaded. */
import { EmbeddedPostgres } from "@livery/persistence"
import { Effect, Redacted } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "pg"

/** Runs statements on a connection of their own. */
export const ask = async (url: string, ...statements: ReadonlyArray<string>) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    let rows: ReadonlyArray<Record<string, unknown>> = []
    for (const statement of statements) ({ rows } = await client.query<Record<string, unknown>>(statement))
    return rows
  } finally {
    await client.end()
  }
}

/** A directory with a cluster, which is removed with the scope, and the cluster's address. */
export const cluster = Effect.gen(function* () {
  const directory = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "livery-bench-"))),
    (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
  )
  yield* Effect.scoped(
    Effect.flatMap(EmbeddedPostgres.open({ directory }), ({ url }) =>
      Effect.promise(() =>
        ask(
          Redacted.value(url),
          "alter system set shared_preload_libraries = 'pg_stat_statements'",
          "alter system set pg_stat_statements.track_utility = on"
        )
      )
    )
  )
  const opened = yield* EmbeddedPostgres.open({ directory })
  const url = Redacted.value(opened.url)
  yield* Effect.promise(() => ask(url, "create extension pg_stat_statements"))
  return { directory, url }
})

/** The number of statements that the database has run, without those that read this number or set up a session. */
export const statements = async (url: string): Promise<number> => {
  const [row] = await ask(
    url,
    `select coalesce(sum(calls), 0)::float8 as calls from pg_stat_statements
     where query not like '%pg_stat_statements%' and query not ilike 'set %'`
  )
  return Number(row?.["calls"])
}
