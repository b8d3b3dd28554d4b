/** The port for transactions: a change, its side effects and its events commit together. */
import { Context, type Effect } from "effect"

/**
 * - `run`: runs the effect in a transaction. Its writes commit when it succeeds, and are rolled back when it fails, dies
 *   or is interrupted. Inside another transaction, it becomes part of that one. A failed commit is a defect: nothing was
 *   written then.
 * - `afterCommit`: runs the effect once the outermost transaction has committed; at once outside of a transaction; never
 *   after a rollback. Use it for wake-ups and log lines only, since a process can end between the commit and the effect.
 */
export class Transaction extends Context.Service<
  Transaction,
  {
    readonly run: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
  }
>()("@livery/domain/Transaction") {}
