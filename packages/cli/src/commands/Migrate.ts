/** `livery migrate`: applies missing migrations. */
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { migrate as applyMigrations, migrations } from "@livery/persistence"
import { descriptions } from "../Descriptions.ts"
import * as Database from "../Database.ts"

const json = Flag.Boolean("json").pipe(Flag.withDefault(false), Flag.withDescription("Print JSON"))

export const migrate = Command.make(
  "migrate",
  { json },
  Effect.fn(function* ({ json: asJson }) {
    const applied = yield* applyMigrations(migrations).pipe(Effect.provide(Database.layer))
    if (asJson) return yield* Console.log(JSON.stringify({ applied }))
    return yield* Console.log(
      applied.length === 0
        ? "The database is up to date"
        : applied.map((name) => `Applied ${name}`).join("\n")
    )
  })
).pipe(Command.withDescription(descriptions.migrate))
