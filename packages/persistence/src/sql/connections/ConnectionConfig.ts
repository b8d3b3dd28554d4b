import type { PgConnection } from "@effect/sql-pg"
import { Duration, Redacted, Result } from "effect"
import { SqlError } from "effect/sql"
import { userInfo } from "node:os"
import { registry } from "../rows/ColumnTypes.ts"
import { readConnectionUrl } from "./ConnectionUrl.ts"

/** The configuration of a connection to that address. `connectTimeout` is in milliseconds, 0 for none. */
export const connectionConfig = (
  url: Redacted.Redacted,
  applicationName: string,
  connectTimeout: number
): Result.Result<PgConnection.Config, SqlError.SqlError> =>
  Result.mapBoth(readConnectionUrl(Redacted.value(url)), {
    onFailure: (cause) =>
      new SqlError.SqlError({
        reason: new SqlError.UnknownError({ cause, message: cause.message, operation: "connect" })
      }),
    onSuccess: (address) => ({
      host: address.host,
      port: address.port,
      username: address.user ?? userInfo().username,
      password: address.password === undefined ? undefined : Redacted.make(address.password),
      database: address.database,
      ssl: address.tls,
      startupOptions: address.options,
      applicationName: address.applicationName ?? applicationName,
      connectTimeout: connectTimeout === 0 ? Duration.infinity : connectTimeout,
      // Detects a dead network path within a minute, also while no statement runs.
      keepAlive: "30 seconds",
      types: registry
    })
  })
