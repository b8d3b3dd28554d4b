/**
 * The command line: `livery` and its subcommands. Only the command that is called is loaded, because loading all of them
 * takes seconds on a small machine; help shows the others by their descriptions.
 */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { descriptions } from "./Descriptions.ts"
import { purpose } from "./OwnHelp.ts"
import type { Settings } from "./Settings.ts"
import { version } from "./Version.ts"

const livery = Command.make("livery").pipe(Command.withDescription(purpose))

type Name = keyof typeof descriptions

const names = Object.keys(descriptions) as ReadonlyArray<Name>

const isName = (text: string): text is Name => Object.hasOwn(descriptions, text)

const unloaded = (name: Name) => Command.make(name).pipe(Command.withDescription(descriptions[name]))

/** The program with one loaded command. Its help lists the other commands by their descriptions. */
const programOf =
  <N extends Name, I, C, E, R>(command: Command.Command<N, I, C, E, R>) =>
  (args: ReadonlyArray<string>) => {
    const others = names.filter((name) => name !== command.name).map(unloaded)
    return Command.runWith(livery.pipe(Command.withSubcommands([command, ...others])), { version })(args)
  }

/** Loads a command, by its name. */
const loadCommand = {
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
  persons: async () => (await import("./commands/Persons.ts")).persons,
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

/** Loads the program of a command, by its name. */
const programs: Readonly<Record<Name, () => Promise<Program>>> = {
  serve: async () => programOf(await loadCommand.serve()),
  migrate: async () => programOf(await loadCommand.migrate()),
  doctor: async () => programOf(await loadCommand.doctor()),
  backup: async () => programOf(await loadCommand.backup()),
  restore: async () => programOf(await loadCommand.restore()),
  export: async () => programOf(await loadCommand.export()),
  import: async () => programOf(await loadCommand.import()),
  check: async () => programOf(await loadCommand.check()),
  demo: async () => programOf(await loadCommand.demo()),
  businesses: async () => programOf(await loadCommand.businesses()),
  users: async () => programOf(await loadCommand.users()),
  persons: async () => programOf(await loadCommand.persons()),
  plans: async () => programOf(await loadCommand.plans()),
  coupons: async () => programOf(await loadCommand.coupons()),
  invoices: async () => programOf(await loadCommand.invoices()),
  settings: async () => programOf(await loadCommand.settings()),
  audit: async () => programOf(await loadCommand.audit()),
  keys: async () => programOf(await loadCommand.keys()),
  secrets: async () => programOf(await loadCommand.secrets()),
  webhooks: async () => programOf(await loadCommand.webhooks()),
  login: async () => programOf(await loadCommand.login()),
  logout: async () => programOf(await loadCommand.logout()),
  listen: async () => programOf(await loadCommand.listen()),
  trigger: async () => programOf(await loadCommand.trigger())
}

/** The command line with all commands, for completions and for options ahead of the command. */
const everything = async (): Promise<Program> => {
  const commands = [
    await loadCommand.serve(),
    await loadCommand.migrate(),
    await loadCommand.doctor(),
    await loadCommand.backup(),
    await loadCommand.restore(),
    await loadCommand.export(),
    await loadCommand.import(),
    await loadCommand.check(),
    await loadCommand.demo(),
    await loadCommand.businesses(),
    await loadCommand.users(),
    await loadCommand.persons(),
    await loadCommand.plans(),
    await loadCommand.coupons(),
    await loadCommand.invoices(),
    await loadCommand.settings(),
    await loadCommand.audit(),
    await loadCommand.keys(),
    await loadCommand.secrets(),
    await loadCommand.webhooks(),
    await loadCommand.login(),
    await loadCommand.logout(),
    await loadCommand.listen(),
    await loadCommand.trigger()
  ] as const
  return (args: ReadonlyArray<string>) =>
    Command.runWith(livery.pipe(Command.withSubcommands(commands)), { version })(args)
}

/** The command line without any command, for its help and its version. */
const namesOnly = (args: ReadonlyArray<string>) =>
  Command.runWith(livery.pipe(Command.withSubcommands(names.map(unloaded))), { version })(args)

const loaded = async (program: () => Promise<Program>) => {
  const [run, { defaultEnvironment, environment }] = await Promise.all([
    program(),
    import("./Environment.ts")
  ])
  return { run, environment, defaultEnvironment }
}

/** Whether a command only explains itself: with one of these flags, wherever it is, no command runs. */
const isExplaining = (args: ReadonlyArray<string>) => {
  const operands = args.indexOf("--")
  return args
    .slice(0, operands === -1 ? args.length : operands)
    .some((arg) => /^(?:-h|--help|--completions(?:=.*)?)$/u.test(arg))
}

const runLoaded = (args: ReadonlyArray<string>, program: () => Promise<Program>) =>
  Effect.flatMap(
    Effect.promise(() => loaded(program)),
    ({ defaultEnvironment, environment, run }) =>
      Effect.provide(run(args), isExplaining(args) ? defaultEnvironment : environment)
  )

/** Runs a command line. `args` does not contain the executable's name. */
export const run = (args: ReadonlyArray<string>) => {
  const [first = ""] = args
  const program = Effect.suspend((): Effect.Effect<void, unknown, Command.Environment> => {
    if (isName(first)) return runLoaded(args, programs[first])
    return args.includes("--completions") || args.some(isName) ? runLoaded(args, everything) : namesOnly(args)
  })
  // Only sampled requests are traced (`Tracing`): spans cost the others 2 to 3 µs for each statement.
  return Effect.withTracerEnabled(program, false)
}
