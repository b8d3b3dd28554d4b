/** `livery migrate`: applies missing migrations, and distributes the tables over the nodes of Citus. */
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Distribution, migrate as applyMigrations, migrations, pending } from "@livery/persistence"
import { descriptions } from "../../usage/Descriptions.ts"
import { json } from "../../usage/JsonFlag.ts"
import * as Database from "../../composition/Database.ts"
import { withProgress } from "../../terminal/Progress.ts"

const plan = Flag.Boolean("plan").pipe(
  Flag.withDefault(false),
  Flag.withDescription("Only list the missing migrations, or with --distribute the SQL")
)

const distribute = Flag.Boolean("distribute").pipe(
  Flag.withDefault(false),
  Flag.withDescription("Also place the tables on the nodes of a PostgreSQL with Citus, while no server runs")
)

const onDatabase = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  work.pipe(Effect.provide(Database.layer), Effect.provideService(Database.MigrateEmbedded, false))

/** Shows the SQL of the distribution. The database may be a plain PostgreSQL. */
const showDistribution = Effect.fnUntraced(function* (asJson: boolean) {
  const statements = yield* onDatabase(Distribution.distributionPlan)
  if (asJson) return yield* Console.log(JSON.stringify({ statements }))
  yield* Console.log(
    statements.length === 0
      ? "Every table is in its place"
      : statements.map((statement) => `${statement};`).join("\n")
  )
})

/** Applies missing migrations, and then distributes the tables. Without Citus it changes nothing. */
const migrateAndDistribute = Effect.fnUntraced(function* (asJson: boolean) {
  const { applied, distributed } = yield* onDatabase(
    Effect.gen(function* () {
      yield* Distribution.requireCitus
      const applied = yield* withProgress("Migrating", (onProgress) =>
        applyMigrations(migrations, onProgress)
      )
      const distributed = yield* withProgress("Distributing", Distribution.distribute)
      return { applied, distributed }
    })
  )
  if (asJson) return yield* Console.log(JSON.stringify({ applied, distributed }))
  const lines = [
    ...applied.map((name) => `Applied ${name}`),
    ...distributed.map((name) => `Distributed ${name}`)
  ]
  yield* Console.log(
    lines.length === 0 ? "The database is up to date, and every table is in its place" : lines.join("\n")
  )
})

/** Lists the missing migrations. The embedded database is not migrated for that. */
const listMissing = Effect.fnUntraced(function* (asJson: boolean) {
  const missing = yield* onDatabase(pending(migrations))
  if (asJson) return yield* Console.log(JSON.stringify({ pending: missing }))
  yield* Console.log(
    missing.length === 0 ? "The database is up to date" : missing.map((name) => `Missing ${name}`).join("\n")
  )
})

export const migrate = Command.make(
  "migrate",
  { distribute, json, plan },
  Effect.fn(function* ({ distribute: isDistribution, json: asJson, plan: isPlan }) {
    if (isDistribution) return yield* (isPlan ? showDistribution : migrateAndDistribute)(asJson)
    if (isPlan) return yield* listMissing(asJson)
    const applied = yield* onDatabase(
      Effect.tap(
        withProgress("Migrating", (onProgress) => applyMigrations(migrations, onProgress)),
        // Citus makes each new table on one node.
        () => Distribution.distributeNew
      )
    )
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
    { command: "livery migrate", description: "Apply it, before the new version starts" },
    {
      command: "livery migrate --distribute --plan",
      description: "Show the SQL that places the tables on the nodes of Citus"
    }
  ])
)
