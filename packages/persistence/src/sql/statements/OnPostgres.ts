/** Ports whose implementation needs the client and no other service. */
import { type Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** The layer of a port that `make` implements on PostgreSQL. */
export const onPostgres = <Port, Shape>(
  port: Context.Key<Port, Shape>,
  make: (sql: SqlClient.SqlClient) => Shape
): Layer.Layer<Port, never, SqlClient.SqlClient> => Layer.effect(port, Effect.map(SqlClient.SqlClient, make))
