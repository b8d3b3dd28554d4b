/** The command line: `livery` and its subcommands. */
import { Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { createRequire } from "node:module"
import { check } from "./commands/Check.ts"
import { demo } from "./commands/Demo.ts"
import { keys } from "./commands/Keys.ts"
import { listen } from "./commands/Listen.ts"
import { migrate } from "./commands/Migrate.ts"
import { serve } from "./commands/Serve.ts"
import { trigger } from "./commands/Trigger.ts"
import { users } from "./commands/Users.ts"
import { webhooks } from "./commands/Webhooks.ts"
import * as Logging from "./Logging.ts"
import { Settings } from "./Settings.ts"

const { version }: { readonly version: string } = createRequire(import.meta.url)("../package.json")

const livery = Command.make("livery").pipe(
  Command.withDescription(
    "The open backend for chauffeur and ground-transport businesses. Settings come from the environment; see the README."
  ),
  Command.withSubcommands([serve, migrate, check, demo, keys, users, webhooks, listen, trigger])
)

/** Runs a command line. `args` does not contain the executable's name. */
export const run = (args: ReadonlyArray<string>) =>
  Command.runWith(livery, { version })(args).pipe(
    Effect.provide(Logging.layer.pipe(Layer.provideMerge(Settings.layer))),
    // Nothing collects spans, and those of a request cost it 2 to 3 µs for each statement.
    Effect.withTracerEnabled(false)
  )
