/**
 * The command line: `livery` and its subcommands. Only the command that is called is loaded, because loading all of them
 * takes seconds on a small machine; help shows the others by their descriptions.
 */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { createRequire } from "node:module"
import { descriptions } from "./Descriptions.ts"
import type { Settings } from "./Settings.ts"

const { version }: { readonly version: string } = createRequire(import.meta.url)("../package.json")

const livery = Command.make("livery").pipe(
  Command.withDescription(
    "The open backend for chauffeur and ground-transport businesses. Settings come from the environment; see the README."
  )
)

type Name = keyof typeof descriptions

const names = Object.keys(descriptions) as ReadonlyArray<Name>

const isName = (text: string): text is Name => Object.hasOwn(descriptions, text)

const named = (name: Name) => Command.make(name).pipe(Command.withDescription(descriptions[name]))

/** Runs a command line whose command is loaded, among the names of the others. */
const among =
  <N extends Name, I, C, E, R>(command: Command.Command<N, I, C, E, R>) =>
  (args: ReadonlyArray<string>) => {
    const others = names.filter((name) => name !== command.name).map(named)
    return Command.runWith(livery.pipe(Command.withSubcommands([command, ...others])), { version })(args)
  }

/** Each command. */
const load = {
  serve: async () => (await import("./commands/Serve.ts")).serve,
  migrate: async () => (await import("./commands/Migrate.ts")).migrate,
  doctor: async () => (await import("./commands/Doctor.ts")).doctor,
  backup: async () => (await import("./commands/Backup.ts")).backup,
  restore: async () => (await import("./commands/Backup.ts")).restore,
  export: async () => (await import("./commands/Transfer.ts")).exportCommand,
  import: async () => (await import("./commands/Transfer.ts")).importCommand,
  check: async () => (await import("./commands/Check.ts")).check,
  demo: async () => (await import("./commands/Demo.ts")).demo,
  businesses: async () => (await import("./commands/Businesses.ts")).businesses,
  users: async () => (await import("./commands/Users.ts")).users,
  plans: async () => (await import("./commands/Plans.ts")).plans,
  coupons: async () => (await import("./commands/Coupons.ts")).coupons,
  invoices: async () => (await import("./commands/Invoices.ts")).invoices,
  settings: async () => (await import("./commands/PlatformSettings.ts")).settings,
  audit: async () => (await import("./commands/Audit.ts")).audit,
  keys: async () => (await import("./commands/Keys.ts")).keys,
  secrets: async () => (await import("./commands/Secrets.ts")).secrets,
  webhooks: async () => (await import("./commands/Webhooks.ts")).webhooks,
  login: async () => (await import("./commands/Login.ts")).login,
  logout: async () => (await import("./commands/Login.ts")).logout,
  listen: async () => (await import("./commands/Listen.ts")).listen,
  trigger: async () => (await import("./commands/Trigger.ts")).trigger
} satisfies Record<Name, () => Promise<object>>

/** A command line whose commands are loaded. */
type Program = (args: ReadonlyArray<string>) => Effect.Effect<void, unknown, Settings | Command.Environment>

/** The command line with one command loaded. */
const programs: Readonly<Record<Name, () => Promise<Program>>> = {
  serve: async () => among(await load.serve()),
  migrate: async () => among(await load.migrate()),
  doctor: async () => among(await load.doctor()),
  backup: async () => among(await load.backup()),
  restore: async () => among(await load.restore()),
  export: async () => among(await load.export()),
  import: async () => among(await load.import()),
  check: async () => among(await load.check()),
  demo: async () => among(await load.demo()),
  businesses: async () => among(await load.businesses()),
  users: async () => among(await load.users()),
  plans: async () => among(await load.plans()),
  coupons: async () => among(await load.coupons()),
  invoices: async () => among(await load.invoices()),
  settings: async () => among(await load.settings()),
  audit: async () => among(await load.audit()),
  keys: async () => among(await load.keys()),
  secrets: async () => among(await load.secrets()),
  webhooks: async () => among(await load.webhooks()),
  login: async () => among(await load.login()),
  logout: async () => among(await load.logout()),
  listen: async () => among(await load.listen()),
  trigger: async () => among(await load.trigger())
}

/** The command line with all commands, for completions and for options ahead of the command. */
const everything = async (): Promise<Program> => {
  const commands = [
    await load.serve(),
    await load.migrate(),
    await load.doctor(),
    await load.backup(),
    await load.restore(),
    await load.export(),
    await load.import(),
    await load.check(),
    await load.demo(),
    await load.businesses(),
    await load.users(),
    await load.plans(),
    await load.coupons(),
    await load.invoices(),
    await load.settings(),
    await load.audit(),
    await load.keys(),
    await load.secrets(),
    await load.webhooks(),
    await load.login(),
    await load.logout(),
    await load.listen(),
    await load.trigger()
  ] as const
  return (args: ReadonlyArray<string>) =>
    Command.runWith(livery.pipe(Command.withSubcommands(commands)), { version })(args)
}

/** The command line without any command, for its help and its version. */
const namesOnly = (args: ReadonlyArray<string>) =>
  Command.runWith(livery.pipe(Command.withSubcommands(names.map(named))), { version })(args)

const loaded = async (program: () => Promise<Program>) => {
  const [run, { environment }] = await Promise.all([program(), import("./Environment.ts")])
  return { run, environment }
}

const runLoaded = (args: ReadonlyArray<string>, program: () => Promise<Program>) =>
  Effect.flatMap(
    Effect.promise(() => loaded(program)),
    ({ environment, run }) => Effect.provide(run(args), environment)
  )

/** Runs a command line. `args` does not contain the executable's name. */
export const run = (args: ReadonlyArray<string>) => {
  const [first = ""] = args
  const program = Effect.suspend((): Effect.Effect<void, unknown, Command.Environment> => {
    if (isName(first)) return runLoaded(args, programs[first])
    return args.includes("--completions") || args.some(isName) ? runLoaded(args, everything) : namesOnly(args)
  })
  // Nothing collects spans, and those of a request cost it 2 to 3 µs for each statement.
  return Effect.withTracerEnabled(program, false)
}
