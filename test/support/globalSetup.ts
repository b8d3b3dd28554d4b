// Provides one PostgreSQL for a test run: the embedded one in a scratch directory, or the server of DATABASE_URL, whose
// role must be allowed to create databases. The migrations run in a template database, and in the embedded cluster, whose
// copy is the start of each installation with a database of its own (`Installation.ts`). If the database of DATABASE_URL is
// on a coordinator of Citus, the databases of the tests are distributed over its nodes (`TestNodes.ts`).
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { Client } from "pg"
import type { TestProject } from "vitest/node"
import { EmbeddedPostgres } from "../../packages/persistence/src/embedded/EmbeddedPostgres.ts"
import { isAlive } from "../../packages/persistence/src/embedded/LivingProcess.ts"
import { runningPostmaster } from "../../packages/persistence/src/embedded/Postmaster.ts"
import { dataOf } from "../../packages/persistence/src/embedded/DataDirectory.ts"
import { migrations } from "../../packages/persistence/src/migrations/index.ts"
import { migrate } from "../../packages/persistence/src/sql/schema/Migrations.ts"
import { layer } from "../../packages/persistence/src/sql/connections/PgClient.ts"
import { copyDirectory, scratchPrefix, scratchRoot } from "./ScratchDirectory.ts"
import { addressWithin, administer } from "./TestDatabase.ts"
import { closeTemplate, distributeTemplate, nodesOf } from "./TestNodes.ts"

const remove = (directory: string) => Effect.promise(() => rm(directory, { recursive: true, force: true }))

/** Stops the servers that killed runs have left: the last process that leaves a server stops it. */
const sweep = Effect.gen(function* () {
  for (const name of yield* Effect.promise(() => readdir(scratchRoot))) {
    const base = join(scratchRoot, name)
    const pid = base.startsWith(scratchPrefix)
      ? /^\d+/u.exec(base.slice(scratchPrefix.length))?.[0]
      : undefined
    if (pid === undefined || isAlive(Number(pid))) continue
    for (const directory of [base, join(base, "data")]) {
      if (runningPostmaster(dataOf(directory)) === undefined) continue
      yield* Effect.ignore(Effect.scoped(EmbeddedPostgres.open({ directory, fsync: false })))
    }
    yield* remove(base)
  }
})

const migrated = (url: string) =>
  migrate(migrations).pipe(Effect.provide(layer({ url: Redacted.make(url) }).pipe(Layer.orDie)))

/** The server of a run, and the copy of a stopped cluster with the project's tables, if there is one. */
interface Started {
  readonly server: string
  readonly cluster?: string
}

const embedded = Effect.gen(function* () {
  yield* sweep
  const directory = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(`${scratchPrefix}${process.pid}-`)),
    remove
  )
  const open = Effect.map(EmbeddedPostgres.open({ directory, fsync: false }), ({ url }) =>
    Redacted.value(url)
  )
  yield* Effect.scoped(Effect.flatMap(open, migrated))
  const data = dataOf(directory)
  const cluster = join(directory, "cluster")
  // Where PostgreSQL runs as another user, its data may be elsewhere, and could not be used in another directory.
  const isHere = data === join(directory, "postgres")
  if (isHere) yield* Effect.promise(() => copyDirectory(data, cluster))
  const started: Started = { server: yield* open, ...(isHere ? { cluster } : {}) }
  return started
})

const dropAll = async (server: string, prefix: string) => {
  const client = new Client({ connectionString: server })
  await client.connect()
  const { rows } = await client.query<{ datname: string }>(
    "select datname from pg_database where starts_with(datname, $1)",
    [prefix]
  )
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`)
  await client.end()
}

/** Creates the template. At the end, it drops the template and every database that an aborted test has left. */
const makeTemplate = Effect.fnUntraced(function* ({ cluster, server }: Started) {
  const prefix = `livery_test_${randomBytes(5).toString("hex")}`
  const template = `${prefix}_template`
  const nodes = yield* nodesOf(server)
  yield* Effect.acquireRelease(
    Effect.forEach(nodes, (node) => administer(node, `create database ${template} template template0`)),
    () => Effect.forEach(nodes, (node) => Effect.promise(() => dropAll(node, prefix)))
  )
  yield* migrated(addressWithin(server, template))
  if (nodes.length > 1) {
    yield* distributeTemplate(nodes, template)
    yield* closeTemplate(nodes, template)
  }
  return { server, nodes, prefix, template, cluster }
})

/** Runs before the first test; the returned function runs after the last one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scope = Scope.makeUnsafe()
  const own = process.env["DATABASE_URL"]
  const start = (own === undefined ? embedded : Effect.succeed<Started>({ server: own })).pipe(
    Effect.flatMap(makeTemplate),
    Scope.provide(scope)
  )
  const close = (exit: Exit.Exit<unknown, unknown>) => Effect.runPromise(Scope.close(scope, exit))
  const exit = await Effect.runPromiseExit(start)
  if (Exit.isFailure(exit)) {
    await close(exit)
    throw new Error("No PostgreSQL for the tests", { cause: exit.cause })
  }
  project.provide("databaseServer", exit.value)
  return () => close(Exit.void)
}
