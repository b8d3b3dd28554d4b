/** The port behind "a state change, its side effects and its events commit together". */
import { Context, type Effect } from "effect"

/**
 * Runs work so that all of it commits or none does.
 *
 * - `run`: what the effect writes commits when it succeeds, and vanishes when it fails, dies or is interrupted.
 *   Nested, the inner work becomes part of the outer. A commit that fails dies: nothing was written then.
 * - `afterCommit`: runs the effect once the outermost transaction has committed, or at once outside of one;
 *   never if it rolls back. For wake-ups; nothing may depend on it, since a process can end in between.
 */
export class Transaction extends Context.Service<
  Transaction,
  {
    readonly run: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
  }
>()("@livery/domain/Transaction") {}
