import { Effect, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { Readiness } from "@livery/domain"
import { migrations } from "../migrations/index.ts"
import { pending } from "./Migrations.ts"
import { takesNoWrites } from "./PgErrors.ts"
import { requireWrites } from "./Usability.ts"

const timeout = "2 seconds"

/**
 * Ready when the database answers within two seconds, has every migration that this program knows, and takes writes.
 * A failure is not logged here: the client logs an outage.
 */
export const layer = Layer.effect(
  Readiness,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const check = pending(migrations).pipe(
      Effect.tap((missing) => (missing.length === 0 ? Effect.asVoid(requireWrites) : Effect.void)),
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
