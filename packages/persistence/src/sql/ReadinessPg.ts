import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Readiness } from "@livery/domain"
import { migrations } from "../migrations/index.ts"
import { pending } from "./Migrations.ts"

const patience = "2 seconds"

/** Ready when the database answers within two seconds and has every migration that this program knows. */
export const layer = Layer.effect(
  Readiness,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const check = pending(migrations).pipe(
      Effect.map((missing) => missing.map((migration) => `migration ${migration} is not applied`)),
      Effect.timeout(patience),
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.catchCause((cause) =>
        Effect.as(Effect.logWarning("readiness: the database does not answer", cause), [
          "the database does not answer"
        ])
      )
    )
    return Readiness.of({ check })
  })
)
