import { EmbeddedPostgres } from "@livery/persistence"
import { Effect, Exit, Redacted, Scope } from "effect"
import { Client } from "pg"
import { vi } from "vitest"
import type { Installation } from "./Installation.ts"

/** A transaction of the test that holds locks. */
export interface HeldLock {
  /** Resolves when another transaction waits for a lock. */
  readonly awaited: () => Promise<void>
  /** Ends the transaction. */
  readonly release: () => Promise<void>
}

/** Runs a statement on the database of an installation, and holds its locks. */
export const holdLock = async (
  { databaseUrl, directory }: Installation,
  statement: string
): Promise<HeldLock> => {
  const scope = Scope.makeUnsafe()
  const url =
    databaseUrl ??
    Redacted.value((await Effect.runPromise(Scope.provide(scope)(EmbeddedPostgres.open({ directory })))).url)
  const [holder, watcher] = [
    new Client({ connectionString: url }),
    new Client({ connectionString: url })
  ] as const
  await Promise.all([holder.connect(), watcher.connect()])
  await holder.query("begin")
  await holder.query(statement)
  const isAwaited = async () => {
    const { rows } = await watcher.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    )
    return rows.length > 0
  }
  return {
    awaited: async () => {
      await vi.waitUntil(isAwaited, { timeout: 30_000, interval: 20 })
    },
    release: async () => {
      await holder.query("rollback")
      await Promise.all([holder.end(), watcher.end()])
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }
}
