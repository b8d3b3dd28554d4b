/** The port for transactions: a change, its side effects and its events commit together. */
import { Context, Effect } from "effect"

/** The options of a transaction. */
export interface TransactionOptions {
  /**
   * Whether the work may be retried from its beginning, true by default. Set it to false if the work has effects
   * outside of the database, such as a request to another server.
   */
  readonly repeatable?: boolean
  /**
   * Whether the work changes data by a single write that is atomic, and cannot fail after it, false by default. The write then
   * commits by itself, which saves two round trips to the database.
   */
  readonly isOneStatement?: boolean
}

/**
 * - `run`: runs the effect in a transaction. Its writes commit when it succeeds, and are rolled back when it fails,
 *   dies or is interrupted. Inside another transaction, it becomes part of that one. After a conflict with another
 *   transaction (a deadlock, a serialization failure), it is retried, at most three times; then it dies with
 *   `Unavailable`. A failed commit is a defect: nothing was written then, unless it is an `OutcomeUnknown`.
 * - `afterCommit`: runs the effect after the outermost transaction has committed; immediately if there is no
 *   transaction; never after a rollback. Use it for wake-ups and log lines only, since a process can end between the
 *   commit and the effect.
 */
export class Transaction extends Context.Service<
  Transaction,
  {
    readonly run: <A, E, R>(
      work: Effect.Effect<A, E, R>,
      options?: TransactionOptions
    ) => Effect.Effect<A, E, R>
    readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
  }
>()("@livery/domain/Transaction") {}

/** Runs a generator in a transaction: `Transaction.run` of `Effect.gen`. */
export const atomically = <Eff extends Effect.Effect<unknown, unknown, unknown>, A>(
  transaction: Transaction["Service"],
  body: () => Generator<Eff, A, never>,
  options?: TransactionOptions
) => transaction.run(Effect.gen(body), options)
