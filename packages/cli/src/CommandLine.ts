/**
 * The command line: `livery` and its subcommands. Only the command that is called is loaded, because loading all of them
 * takes seconds on a small machine; help shows the others by their descriptions.
 */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { descriptions, purpose } from "./usage/Descriptions.ts"
import type { Settings } from "./settings/Settings.ts"
import { version } from "./usage/Version.ts"

const livery = Command.make("livery").pipe(Command.withDescription(purpose))

type Name = keyof typeof descriptions

const names = Object.keys(descriptions) as ReadonlyArray<Name>

const isName = (text: string): text is Name => Object.hasOwn(descriptions, text)

const unloaded = (name: Name) => Command.make(name).pipe(Command.withDescription(descriptions[name]))

type Requirements = Settings | Command.Environment

/** A command of a name, with any input. */
type LiveryCommand<N extends Name> = Command.Command<N, never, object, unknown, Requirements>

/** A loaded command, or one that is not loaded. */
type AnyCommand = { readonly [N in Name]: LiveryCommand<N> }[Name] | LiveryCommand<Name>

/** Loads a command, by its name. */
const loadCommand: { readonly [N in Name]: () => Promise<LiveryCommand<N>> } = {
  serve: async () => (await import("./commands/serving/Serve.ts")).serve,
  migrate: async () => (await import("./commands/data/Migrate.ts")).migrate,
  doctor: async () => (await import("./commands/serving/Doctor.ts")).doctor,
  backup: async () => (await import("./commands/data/Backup.ts")).backup,
  restore: async () => (await import("./commands/data/Backup.ts")).restore,
  resume: async () => (await import("./commands/administration/Resume.ts")).resume,
  export: async () => (await import("./commands/data/Transfer.ts")).exportCommand,
  import: async () => (await import("./commands/data/Transfer.ts")).importCommand,
  move: async () => (await import("./commands/data/Move.ts")).move,
  "import-table": async () => (await import("./commands/data/ImportTable.ts")).importTable,
  check: async () => (await import("./commands/data/Check.ts")).check,
  demo: async () => (await import("./commands/data/Demo.ts")).demo,
  api: async () => (await import("./commands/integrating/Api.ts")).api,
  businesses: async () => (await import("./commands/administration/Businesses.ts")).businesses,
  users: async () => (await import("./commands/administration/Users.ts")).users,
  persons: async () => (await import("./commands/administration/Persons.ts")).persons,
  plans: async () => (await import("./commands/administration/Plans.ts")).plans,
  coupons: async () => (await import("./commands/administration/Coupons.ts")).coupons,
  invoices: async () => (await import("./commands/administration/Invoices.ts")).invoices,
  settings: async () => (await import("./commands/administration/PlatformSettings.ts")).settings,
  audit: async () => (await import("./commands/administration/Audit.ts")).audit,
  keys: async () => (await import("./commands/administration/Keys.ts")).keys,
  secrets: async () => (await import("./commands/data/Secrets.ts")).secrets,
  webhooks: async () => (await import("./commands/integrating/Webhooks.ts")).webhooks,
  login: async () => (await import("./commands/administration/Login.ts")).login,
  logout: async () => (await import("./commands/administration/Login.ts")).logout,
  listen: async () => (await import("./commands/integrating/Listen.ts")).listen,
  trigger: async () => (await import("./commands/integrating/Trigger.ts")).trigger,
  mcp: async () => (await import("./commands/integrating/Mcp.ts")).mcp
}

/** A command line whose commands are loaded. */
type Program = (args: ReadonlyArray<string>) => Effect.Effect<void, unknown, Requirements>

const programOf =
  (commands: ReadonlyArray<AnyCommand>): Program =>
  (args) =>
    Command.runWith(livery.pipe(Command.withSubcommands(commands)), { version })(args)

/** The program with one loaded command. Its help lists the other commands by their descriptions. */
const loadProgram = async (name: Name): Promise<Program> => {
  const others = names.filter((other) => other !== name).map(unloaded)
  return programOf([await loadCommand[name](), ...others])
}

/** The program with all commands, for completions, for the wizard and for options ahead of the command. */
const loadFullProgram = async (): Promise<Program> =>
  programOf(await Promise.all(names.map((name) => loadCommand[name]())))

/** The program without a loaded command, for its help and its version. */
const unloadedProgram = (args: ReadonlyArray<string>) =>
  Command.runWith(livery.pipe(Command.withSubcommands(names.map(unloaded))), { version })(args)

/** Loads a program together with the services that its commands need. */
const loadWithServices = async (load: () => Promise<Program>) => {
  const [program, { commandServices, defaultServices }] = await Promise.all([
    load(),
    import("./CommandServices.ts")
  ])
  return { program, commandServices, defaultServices }
}

/** Whether the arguments ask for completions of all commands, or for the wizard, which runs the command that is chosen in it. */
const needsAllCommands = (args: ReadonlyArray<string>) =>
  args.some((arg) => /^--(?:completions|wizard)(?:=.*)?$/u.test(arg))

/** Whether the arguments ask for help or completions: with one of these flags, wherever it is, no command runs. */
const asksForHelp = (args: ReadonlyArray<string>) => {
  const operands = args.indexOf("--")
  return args
    .slice(0, operands === -1 ? args.length : operands)
    .some((arg) => /^(?:-h|--help|--completions(?:=.*)?)$/u.test(arg))
}

const loadAndRun = (args: ReadonlyArray<string>, load: () => Promise<Program>) =>
  Effect.flatMap(
    Effect.promise(() => loadWithServices(load)),
    ({ commandServices, defaultServices, program }) =>
      Effect.provide(program(args), asksForHelp(args) ? defaultServices : commandServices)
  )

/** Runs a command line. `args` does not contain the executable's name. */
export const run = (args: ReadonlyArray<string>) => {
  const [first = ""] = args
  const program = Effect.suspend((): Effect.Effect<void, unknown, Command.Environment> => {
    if (isName(first)) return loadAndRun(args, () => loadProgram(first))
    return needsAllCommands(args) || args.some(isName)
      ? loadAndRun(args, loadFullProgram)
      : unloadedProgram(args)
  })
  // Only sampled requests are traced (`Tracing`). For other requests, spans would cost 2 to 3 µs for each statement.
  return Effect.withTracerEnabled(program, false)
}
