/** `livery migrate`: applies missing migrations. */
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { migrate as applyMigrations, migrations, pending } from "@livery/persistence"
import { descriptions } from "../../usage/Descriptions.ts"
import { json } from "../../usage/JsonFlag.ts"
import * as Database from "../../composition/Database.ts"
import { withProgress } from "../../terminal/Progress.ts"

const plan = Flag.Boolean("plan").pipe(
  Flag.withDefault(false),
  Flag.withDescription("Only list the missing migrations")
)

/** Lists the missing migrations. The embedded database is not migrated for that. */
const listMissing = Effect.fnUntraced(function* (asJson: boolean) {
  const missing = yield* pending(migrations).pipe(
    Effect.provide(Database.layer),
    Effect.provideService(Database.MigrateEmbedded, false)
  )
  if (asJson) return yield* Console.log(JSON.stringify({ pending: missing }))
  yield* Console.log(
    missing.length === 0 ? "The database is up to date" : missing.map((name) => `Missing ${name}`).join("\n")
  )
})

export const migrate = Command.make(
  "migrate",
  { json, plan },
  Effect.fn(function* ({ json: asJson, plan: isPlan }) {
    if (isPlan) return yield* listMissing(asJson)
    const applied = yield* withProgress("Migrating", (onProgress) =>
      applyMigrations(migrations, onProgress)
    ).pipe(Effect.provide(Database.layer), Effect.provideService(Database.MigrateEmbedded, false))
    if (asJson) return yield* Console.log(JSON.stringify({ applied }))
    return yield* Console.log(
      applied.length === 0
        ? "The database is up to date"
        : applied.map((name) => `Applied ${name}`).join("\n")
    )
  })
).pipe(
  Command.withDescription(descriptions.migrate),
  Command.withExamples([
    { command: "livery migrate --plan", description: "Only list what is missing" },
    { command: "livery migrate", description: "Apply it, before the new version starts" }
  ])
)
