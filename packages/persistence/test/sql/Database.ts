import { Context, Effect, Layer } from "effect"
import type { Redacted } from "effect"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { layer as pgLayer } from "../../src/sql/PgClient.ts"
import type { PgOptions } from "../../src/sql/PgClient.ts"

/** An empty database, which is dropped with the scope. */
export class Database extends Context.Service<Database, { readonly url: Redacted.Redacted }>()(
  "@livery/persistence/test/Database"
) {
  static readonly layer = Layer.effect(Database, TestDatabase.empty)
}

/** A client of the test's database with its own pool. */
export const client = (options: Omit<PgOptions, "url"> = {}) =>
  Layer.unwrap(Effect.map(Database, ({ url }) => pgLayer({ ...options, url })))

/** Runs a body on a pool of its own. */
export const withClient =
  (options: Omit<PgOptions, "url"> = {}) =>
  <A, E, R>(body: Effect.Effect<A, E, R>) =>
    Effect.provide(body, Layer.fresh(client(options)))
