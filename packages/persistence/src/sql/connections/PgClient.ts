/** Effect's `SqlClient` over `@effect/sql-pg`, extended by `SessionPool.ts` and `Connections.ts`. */
import { Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { makeClient, makePool, type PgOptions } from "./ConnectionPool.ts"

export type { PgOptions } from "./ConnectionPool.ts"

/**
 * The client of one database. It connects with the first statement, so building it succeeds while the server is
 * unavailable; it fails only if the URL cannot be used. If a COMMIT fails with an `SqlError`, nothing was written. If
 * its outcome is unknown, the error's cause is `OutcomeUnknown`; so is that of a single statement that may have been
 * carried out.
 */
export const layer = (options: PgOptions): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effect(
    SqlClient.SqlClient,
    Effect.flatMap(makePool(options), (pool) => makeClient(() => pool))
  )
