import { Effect, Exit, Redacted, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { inject, vi } from "vitest"
import { runningPostmaster } from "../../packages/persistence/src/embedded/Postmaster.ts"
import { dataOf } from "../../packages/persistence/src/embedded/DataDirectory.ts"
import { runCommand } from "./CommandProcess.ts"
import { launch, type Outcome, type Program, runLivery } from "./Program.ts"
import { copyDirectory, scratchPrefix } from "./ScratchDirectory.ts"
import { type Server, serverOf } from "./Server.ts"
import { TestDatabase } from "./TestDatabase.ts"

/** The options of an installation. */
export interface InstallationOptions {
  readonly settings?: Readonly<Record<string, string>>
  /**
   * Use an embedded database of its own instead of a database of the run's server: a copy with the project's tables, or,
   * for `absent`, one that the first start makes, which takes a second more.
   */
  readonly embedded?: "copied" | "absent"
}

/** An installation of Livery: a data directory, a database, and the settings of its commands. */
export interface Installation {
  readonly directory: string
  /** The settings of its commands. */
  readonly environment: Readonly<Record<string, string>>
  /** `DATABASE_URL`, unless the database is the embedded one. */
  readonly databaseUrl: string | undefined
  /** Runs a command to its end. */
  readonly run: (
    args: ReadonlyArray<string>,
    options?: { readonly input?: string; readonly settings?: Readonly<Record<string, string>> }
  ) => Promise<Outcome>
  /** Runs a command to its end without a process of its own (`CommandProcess.ts`). */
  readonly command: Installation["run"]
  /** Starts a command. It runs until the installation is removed, at most. */
  readonly launch: (args: ReadonlyArray<string>, settings?: Readonly<Record<string, string>>) => Program
  /** Starts `livery serve` and waits until it prints its address. */
  readonly serve: (
    args?: ReadonlyArray<string>,
    settings?: Readonly<Record<string, string>>
  ) => Promise<Server>
  /** The process id of the embedded PostgreSQL while it runs. */
  readonly postmaster: () => number | undefined
  /** Ends its processes and removes its files and its database. */
  readonly remove: () => Promise<void>
}

const database = async (scope: Scope.Closeable) => {
  const { url } = await Effect.runPromise(Scope.provide(scope)(TestDatabase.create))
  return { DATABASE_URL: Redacted.value(url), LIVERY_SECRET: randomBytes(24).toString("hex") }
}

/** Makes a data directory with a copy of the run's cluster. */
const copyCluster = async (directory: string) => {
  const { cluster } = inject("databaseServer")
  if (cluster === undefined) return
  await mkdir(directory, { mode: 0o700 })
  await copyDirectory(cluster, join(directory, "postgres"))
}

/** An installation that was never started, on a new database with the project's tables. */
export const installation = async (options: InstallationOptions = {}): Promise<Installation> => {
  const scope = Scope.makeUnsafe()
  const base = await mkdtemp(`${scratchPrefix}${process.pid}-`)
  const directory = join(base, "data")
  if (options.embedded === "copied") await copyCluster(directory)
  const hasDatabase = options.embedded !== undefined || options.settings?.["DATABASE_URL"] !== undefined
  const environment: Readonly<Record<string, string>> = {
    LIVERY_DATA_DIR: directory,
    PORT: "0",
    WORKERS_PORT: "0",
    SHUTDOWN_GRACE: "0",
    WEBHOOKS_ALLOW_INSECURE: "true",
    RATE_LIMIT_BUSINESS: "1000000",
    RATE_LIMIT_AUTH: "1000000",
    RATE_LIMIT_PUBLIC: "1000000",
    ...(hasDatabase ? {} : await database(scope)),
    ...options.settings
  }
  const programs: Array<Program> = []
  const start = (args: ReadonlyArray<string>, settings?: Readonly<Record<string, string>>) => {
    const program = launch(args, { environment: { ...environment, ...settings } })
    programs.push(program)
    return program
  }
  const run: Installation["run"] = (args, { input = "", settings } = {}) =>
    runLivery(args, { input, environment: { ...environment, ...settings } })
  const command: Installation["run"] = (args, { input = "", settings } = {}) =>
    runCommand(args, { input, environment: { ...environment, ...settings } })
  const postmaster = () => runningPostmaster(dataOf(directory))?.pid
  const remove = async () => {
    for (const program of programs) {
      if (program.ending() === undefined) program.signal("SIGKILL")
      await program.ended
    }
    const left = postmaster()
    if (left !== undefined) {
      process.kill(left, "SIGINT")
      await vi.waitUntil(() => postmaster() === undefined, { timeout: 20_000, interval: 5 })
    }
    await rm(base, { recursive: true, force: true })
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
  return {
    directory,
    environment,
    databaseUrl: environment["DATABASE_URL"],
    run,
    command,
    launch: start,
    serve: (args = [], settings = {}) => serverOf(start(["serve", ...args], settings)),
    postmaster,
    remove
  }
}
