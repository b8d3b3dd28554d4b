import { Context, Effect, References, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"

/**
 * Runs transactions in a small context. Effect adds five services for each transaction and copies the whole context of
 * the fiber for that; with the 150 services of a request, this costs more than the transaction. The work in the
 * transaction gets the caller's context plus the transaction. Work that runs after the commit gets the context of the
 * caller of the outermost transaction, since Effect would copy the whole context to remove the transaction from it.
 */
export const withSlimContext = <Client extends SqlClient.SqlClient>(client: Client): Client => {
  const { afterCommit: inCopyOfContext, transactionService, withTransaction: inContextOfCaller } = client
  const contexts = new WeakMap<object, Context.Context<never>>()
  const outermost = new WeakMap<object, Context.Context<never>>()
  const untraced = Context.make(References.TracerEnabled, false)

  /** The few services that the transaction itself reads: how it begins, and which transaction it is nested in. */
  const slim = (full: Context.Context<never>): Context.Context<never> => {
    const outer = Context.getOrUndefined(full, transactionService)
    const nested = outer && contexts.get(outer)
    if (nested !== undefined) return nested
    // A tracer is configured, so keep the caller's context: the spans must have the caller's as their parents.
    if (Context.get(full, Tracer.Tracer) !== Tracer.nativeTracer) return full
    const begin = Context.get(full, SqlClient.BeginTransaction)
    return begin === undefined ? untraced : Context.add(untraced, SqlClient.BeginTransaction, begin)
  }

  const withTransaction = <R, E, A>(
    work: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | SqlError.SqlError, R> =>
    Effect.contextWith((full: Context.Context<R>) => {
      const within = Effect.contextWith((inner: Context.Context<never>) => {
        const transaction = Context.getUnsafe(inner, transactionService)
        contexts.set(transaction, inner)
        const outer = Context.getOrUndefined(full, transactionService)
        outermost.set(transaction, (outer && outermost.get(outer)) ?? full)
        return Effect.updateContext<A, E, R, never>(work, () =>
          Context.add(full, transactionService, transaction)
        )
      })
      return Effect.updateContext<A, E | SqlError.SqlError, never, never>(inContextOfCaller(within), () =>
        slim(full)
      )
    })
  const afterCommit = <R>(work: Effect.Effect<void, never, R>): Effect.Effect<void, never, R> =>
    Effect.contextWith((full: Context.Context<R>) => {
      const transaction = Context.getOrUndefined(full, transactionService)
      const inner = transaction && contexts.get(transaction)
      const outer = transaction && outermost.get(transaction)
      if (inner === undefined || outer === undefined) return inCopyOfContext(work)
      const later = Effect.updateContext<void, never, R, never>(work, () => outer as Context.Context<R>)
      return Effect.updateContext<void, never, never, never>(inCopyOfContext(later), () => inner)
    })
  return Object.assign(client, { afterCommit, withTransaction })
}
