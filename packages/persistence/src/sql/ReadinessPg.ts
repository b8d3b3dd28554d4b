import { Effect, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { Readiness } from "@livery/domain"
import { migrations } from "../migrations/index.ts"
import { pending } from "./Migrations.ts"
import { takesNoWrites } from "./PgErrors.ts"

const timeout = "2 seconds"

/**
 * Ready when the database answers within two seconds, has every migration that this program knows, and takes writes.
 * A failure is not logged here: the client logs an outage.
 */
export const layer = Layer.effect(
  Readiness,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // Locks no row and writes nothing. A server that takes no writes refuses it all the same, and the session is dropped.
    const lock = sql`SELECT FROM livery_migrations WHERE false FOR UPDATE`
    const check = pending(migrations).pipe(
      Effect.tap((missing) => (missing.length === 0 ? Effect.asVoid(lock) : Effect.void)),
      Effect.map((missing) => missing.map((migration) => `migration ${migration} is not applied`)),
      Effect.timeout(timeout),
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.catch((error) =>
        Effect.succeed([
          SqlError.isSqlError(error) && takesNoWrites(error)
            ? "the database takes no writes"
            : "the database does not answer"
        ])
      )
    )
    return Readiness.of({ check })
  })
)
