import { Effect, Layer, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { Client } from "pg"
import { inject } from "vitest"
import { layer } from "../../packages/persistence/src/sql/PgClient.ts"
import { databaseProxy } from "./DatabaseProxy.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The server of this test run; every database of the run has a name that begins with `prefix`. */
    databaseServer: { readonly server: string; readonly prefix: string; readonly template: string }
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

const fresh = (template: (run: { readonly template: string }) => string) =>
  Effect.gen(function* () {
    const run = inject("databaseServer")
    const name = `${run.prefix}_${randomBytes(5).toString("hex")}`
    yield* Effect.acquireRelease(
      administer(run.server, `create database ${name} template ${template(run)} strategy file_copy`),
      () => administer(run.server, `drop database ${name} with (force)`)
    )
    return { name, url: Redacted.make(addressWithin(run.server, name)) }
  })

/** A database with the project's tables, of this scope alone, and dropped at its end with all who are connected. */
const create = fresh(({ template }) => template)

/** The same without any table: for tests of the migrations themselves. */
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
 * Databases for tests. Each takes some 12 ms to make and 8 to drop: have one per file (`layer(TestDatabase.layer)`)
 * where the tests do not disturb one another, else one per test.
 */
export const TestDatabase = {
  create,
  empty,
  proxied,
  /** A client of a database of its own, made with the layer and dropped after it. */
  layer: Layer.unwrap(Effect.map(create, ({ url }) => layer({ url }))).pipe(Layer.orDie)
}
