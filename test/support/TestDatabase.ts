import { Effect, Layer, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { Client } from "pg"
import { inject } from "vitest"
import { layer } from "../../packages/persistence/src/sql/connections/PgClient.ts"
import { databaseProxy } from "./DatabaseProxy.ts"

declare module "vitest" {
  interface ProvidedContext {
    /**
     * The server of this test run. The names of the run's databases begin with `prefix`. `cluster` is the directory of a
     * stopped cluster with the project's tables, to copy. On a server with Citus, each database is on all `nodes`, of which
     * `server` is the first.
     */
    databaseServer: {
      readonly server: string
      readonly nodes: ReadonlyArray<string>
      readonly prefix: string
      readonly template: string
      readonly cluster: string | undefined
    }
  }
}

/** The address of another database of the same server. */
export const addressWithin = (server: string, database: string): string => {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

/** Runs one statement as the server's administrator, outside of any transaction. */
export const administer = (server: string, statement: string) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: server })
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  })

/** Sets whether new sessions of a database begin read-only. Open ones stay as they are. */
export const setReadOnly = (database: string, value: "on" | "off") => {
  const url = new URL(database)
  const name = url.pathname.slice(1)
  url.searchParams.set("options", "-c default_transaction_read_only=off")
  return administer(url.href, `alter database ${name} set default_transaction_read_only = ${value}`)
}

/** Runs one statement on each node at once. */
const onEach = (nodes: ReadonlyArray<string>, statement: string) =>
  Effect.forEach(nodes, (node) => administer(node, statement), { concurrency: "unbounded", discard: true })

/** Drops a database. The daemon of Citus would connect again, and may take longer to leave than a drop waits. */
const dropDatabase = (nodes: ReadonlyArray<string>, name: string) => {
  const drop = onEach(nodes, `drop database if exists ${name} with (force)`)
  return nodes.length === 1
    ? drop
    : Effect.andThen(
        onEach(nodes, `alter database ${name} allow_connections false`),
        Effect.retry(Effect.catchDefect(drop, Effect.fail), { times: 5 }).pipe(Effect.orDie)
      )
}

const fresh = (template: (run: { readonly template: string }) => string) =>
  Effect.gen(function* () {
    const run = inject("databaseServer")
    const name = `${run.prefix}_${randomBytes(5).toString("hex")}`
    yield* Effect.acquireRelease(
      onEach(run.nodes, `create database ${name} template ${template(run)} strategy file_copy`),
      () => dropDatabase(run.nodes, name)
    )
    return { name, url: Redacted.make(addressWithin(run.server, name)) }
  })

/** A database with the project's tables. It is dropped with the scope, with all of its connections. */
const create = fresh(({ template }) => template)

/** A database without tables, for tests of the migrations. */
const empty = fresh(() => "template0")

/** A database with the project's tables, behind a proxy that ends with the scope. */
const proxied = Effect.gen(function* () {
  const { url } = yield* create
  const proxy = yield* Effect.acquireRelease(
    Effect.promise(() => databaseProxy(Redacted.value(url))),
    ({ close }) => Effect.promise(close)
  )
  return { proxy, direct: url, url: Redacted.make(proxy.url) }
})

/**
 * Databases for tests. Creating one takes about 12 ms and dropping it 8 ms. Use one per file (`layer(TestDatabase.layer)`)
 * if its tests are independent of each other, else one per test.
 */
export const TestDatabase = {
  create,
  empty,
  proxied,
  /** As `layer`, and passes each statement of the client to `report`. */
  reporting: (report: (statement: string) => void) =>
    Layer.unwrap(
      Effect.map(proxied, ({ proxy, url }) => {
        proxy.passage = (statement) => {
          report(statement)
          return "pass"
        }
        return layer({ url, acquireTimeout: "1 minute" })
      })
    ).pipe(Layer.orDie),
  /**
   * A client of a new database, which is dropped with the layer. It waits longer for a connection than a server would, so
   * that no race depends on the speed of the machine.
   */
  layer: Layer.unwrap(Effect.map(create, ({ url }) => layer({ url, acquireTimeout: "1 minute" }))).pipe(
    Layer.orDie
  )
}
