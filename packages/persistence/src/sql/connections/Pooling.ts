/** Recognizes a pooler in transaction mode, which requires `PgOptions.prepare: false`. */
import { PgConnection } from "@effect/sql-pg"
import { Effect, type Redacted } from "effect"
import type { SqlError } from "effect/sql"
import { toSqlError } from "../statements/PgErrors.ts"
import { connectionConfigs } from "./ConnectionConfig.ts"
import { findFit, takesWrites } from "./Servers.ts"

const timeout = 5000

/** Under load the pooler may give two connections different sessions by chance. */
const rounds = 3

const sessionOf = Effect.fnUntraced(function* (connection: PgConnection.PgConnection) {
  const { rows } = yield* connection.query("SELECT pg_backend_pid() AS pid", [], false)
  return rows[0]?.["pid"]
})

/**
 * Whether the address gives two open connections the same session of PostgreSQL, or one connection several sessions,
 * as only a pooler in transaction or statement mode does. A pooler under load can stay unrecognized. Fails if the
 * server does not respond.
 */
export const sharesSessions = (url: Redacted.Redacted): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.gen(function* () {
    const hosts = yield* Effect.fromResult(connectionConfigs(url, "livery", timeout))
    const config = hosts.length === 1 ? hosts[0] : yield* findFit(hosts, takesWrites)
    const open = Effect.mapError(PgConnection.make({ ...config, prepare: false }), (error) =>
      toSqlError(error, "connect")
    )
    const [one, other] = [yield* open, yield* open]
    const ask = (connection: PgConnection.PgConnection) =>
      Effect.mapError(sessionOf(connection), (error) => toSqlError(error, "query"))
    const first = yield* ask(one)
    for (let round = 1; round <= rounds; round++) {
      if ((yield* ask(other)) === first || (yield* ask(one)) !== first) return true
    }
    return false
  }).pipe(Effect.scoped)
