import { Clock, Context, type Duration, Effect, Layer } from "effect"
import type { Redacted } from "effect"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { layer as pgLayer } from "../../src/sql/connections/PgClient.ts"
import type { PgOptions } from "../../src/sql/connections/PgClient.ts"

/** An empty database, which is dropped with the scope. */
export class Database extends Context.Service<Database, { readonly url: Redacted.Redacted }>()(
  "@livery/persistence/test/Database"
) {
  static readonly layer = Layer.effect(Database, TestDatabase.empty)
}

/**
 * A client of the test's database with its own pool. Unless the options say otherwise, it waits longer for a connection than
 * a server would, so that no outcome depends on the speed of the machine.
 */
export const client = (options: Omit<PgOptions, "url"> = {}) =>
  Layer.unwrap(Effect.map(Database, ({ url }) => pgLayer({ acquireTimeout: "1 minute", ...options, url })))

/** Runs a body on a pool of its own. */
export const withClient =
  (options: Omit<PgOptions, "url"> = {}) =>
  <A, E, R>(body: Effect.Effect<A, E, R>) =>
    Effect.provide(body, Layer.fresh(client(options)))

const machineClock = Context.get(Context.empty(), Clock.Clock)

/**
 * Fails with a sentence after a time of the machine's clock, also under a clock of the test. A test of a guarantee that
 * something ends fails by it, where it would hang otherwise.
 */
export const failsAfter =
  (limit: Duration.Input, sentence: string) =>
  <A, E, R>(body: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Clock.Clock, (clock) =>
      Effect.provideService(body, Clock.Clock, clock).pipe(
        Effect.timeoutOrElse({ duration: limit, orElse: () => Effect.die(new Error(sentence)) }),
        Effect.provideService(Clock.Clock, machineClock)
      )
    )
