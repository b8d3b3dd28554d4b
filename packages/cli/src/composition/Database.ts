/** The database of this process: the one that `DATABASE_URL` names, or the embedded one, opened or joined. */
import { Context, Effect, Layer } from "effect"
import { EmbeddedPostgres, migrate, migrations, PgClient, PlacedClient } from "@livery/persistence"
import { resolve } from "node:path"
import { Settings } from "../settings/Settings.ts"

/** Where the data is: `Embedded`, with the absolute path and whether a database existed there, or `External`. */
export type DatabaseOrigin =
  | {
      readonly _tag: "Embedded"
      readonly directory: string
      readonly started: "created" | "existing" | "joined"
    }
  | { readonly _tag: "External" }

/** The origin of this process's database. */
export class Database extends Context.Service<Database, DatabaseOrigin>()("@livery/cli/Database") {}

/** Whether opening the embedded database migrates it. */
export const MigrateEmbedded = Context.Reference<boolean>("@livery/cli/MigrateEmbedded", {
  defaultValue: () => true
})

const embedded = (directory: string) =>
  Layer.unwrap(
    Effect.map(EmbeddedPostgres.open({ directory }), ({ started, url }) =>
      Layer.effect(
        Database,
        // The embedded database has no other operator, so every command applies missing migrations.
        Effect.gen(function* () {
          if (yield* MigrateEmbedded) yield* migrate(migrations)
          return { _tag: "Embedded" as const, directory: resolve(directory), started }
        })
      ).pipe(Layer.provideMerge(PgClient.layer({ url })))
    )
  )

/** The connection to the database that `DATABASE_URL` names; undefined for the embedded one. */
export const connectionOf = ({ databasePool, databasePrepare, databaseUrl }: Settings["Service"]) =>
  databaseUrl === undefined ? undefined : { url: databaseUrl, max: databasePool, prepare: databasePrepare }

/** The `SqlClient` and its database's origin. Only the embedded database is migrated here; `livery migrate` migrates others. */
export const layer = Layer.unwrap(
  Effect.map(Settings, (settings) => {
    const connection = connectionOf(settings)
    return connection === undefined
      ? embedded(settings.dataDirectory)
      : Layer.merge(
          Layer.succeed(Database, { _tag: "External" }),
          PlacedClient.layer({
            ...connection,
            ...(settings.databaseReadUrl !== undefined && {
              replica: { url: settings.databaseReadUrl, maxLag: settings.databaseReadLag }
            })
          })
        )
  })
)
