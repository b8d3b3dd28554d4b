import type { PgConnection } from "@effect/sql-pg"
import { Redacted, Result } from "effect"
import { SqlError } from "effect/sql"
import { userInfo } from "node:os"
import { registry } from "../rows/ColumnTypes.ts"
import { type Host, readConnectionUrl } from "./ConnectionUrl.ts"

/** The configurations of connections to the hosts of an address, in its order. */
export type HostConfigs = readonly [PgConnection.Config, ...ReadonlyArray<PgConnection.Config>]

/** How long one of several hosts may take to open a connection, in milliseconds, so that the others have their turn. */
const hostTimeout = 2000

/**
 * The configurations of connections to the hosts of that address, with these settings. `connectTimeout` is in milliseconds, 0
 * for none.
 */
export const connectionConfigs = (
  url: Redacted.Redacted,
  applicationName: string,
  connectTimeout: number,
  settings: Pick<PgConnection.Config, "prepare" | "preparedStatementCacheSize"> = {}
): Result.Result<HostConfigs, SqlError.SqlError> =>
  Result.mapBoth(readConnectionUrl(Redacted.value(url)), {
    onFailure: (cause) =>
      new SqlError.SqlError({
        reason: new SqlError.UnknownError({ cause, message: cause.message, operation: "connect" })
      }),
    onSuccess: (address) => {
      const [first, ...others] = address.hosts
      const limit = connectTimeout === 0 ? Number.POSITIVE_INFINITY : connectTimeout
      const configOf = ({ name, port }: Host): PgConnection.Config => ({
        ...settings,
        host: name,
        port,
        username: address.user ?? userInfo().username,
        password: address.password === undefined ? undefined : Redacted.make(address.password),
        database: address.database,
        ssl: address.tls,
        startupOptions: address.options,
        applicationName: address.applicationName ?? applicationName,
        connectTimeout: others.length === 0 ? limit : Math.min(limit, hostTimeout),
        // Detects a dead network path within a minute, also while no statement runs.
        keepAlive: "30 seconds",
        types: registry
      })
      return [configOf(first), ...others.map(configOf)]
    }
  })
