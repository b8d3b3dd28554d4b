import { Context, Effect, References, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"

/** The contexts of an open transaction. */
interface Contexts {
  readonly transaction: object
  /** The slim one, in which Effect runs the transaction. */
  readonly slim: Context.Context<never>
  /** That of the caller of the outermost transaction. */
  readonly outermost: Context.Context<never>
}

/**
 * Runs transactions in a small context. Effect adds five services for each transaction and copies the whole context of
 * the fiber for that; with the 150 services of a request, this costs more than the transaction. The work in the
 * transaction gets the caller's context plus the transaction. Work that runs after the commit gets the context of the
 * caller of the outermost transaction, since Effect would copy the whole context to remove the transaction from it.
 */
export const withSlimContext = <Client extends SqlClient.SqlClient>(client: Client): Client => {
  const {
    afterCommit: effectAfterCommit,
    transactionService,
    withTransaction: effectWithTransaction
  } = client
  const untraced = Context.make(References.TracerEnabled, false)

  /** Set in the work of a transaction of this client. */
  const OpenContexts = Context.Reference<Contexts | undefined>(`${transactionService.key}/contexts`, {
    defaultValue: () => undefined
  })

  /** The contexts of the transaction in which a fiber with this context runs. */
  const contextsOf = (full: Context.Context<never>): Contexts | undefined => {
    const contexts = Context.get(full, OpenContexts)
    // A caller may have removed the transaction from the context, to leave it.
    return Context.getOrUndefined(full, transactionService) === contexts?.transaction ? contexts : undefined
  }

  /** The few services that the transaction itself reads: how it begins, and which transaction it is nested in. */
  const slim = (full: Context.Context<never>): Context.Context<never> => {
    const nested = contextsOf(full)
    if (nested !== undefined) return nested.slim
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
        const contexts = { transaction, slim: inner, outermost: contextsOf(full)?.outermost ?? full }
        return Effect.updateContext<A, E, R, never>(work, () =>
          full.pipe(Context.add(transactionService, transaction), Context.add(OpenContexts, contexts))
        )
      })
      return Effect.updateContext<A, E | SqlError.SqlError, never, never>(effectWithTransaction(within), () =>
        slim(full)
      )
    })

  const afterCommit = <R>(work: Effect.Effect<void, never, R>): Effect.Effect<void, never, R> =>
    Effect.contextWith((full: Context.Context<R>) => {
      const contexts = contextsOf(full)
      if (contexts === undefined) return effectAfterCommit(work)
      const later = Effect.updateContext<void, never, R, never>(
        work,
        () => contexts.outermost as Context.Context<R>
      )
      return Effect.updateContext<void, never, never, never>(effectAfterCommit(later), () => contexts.slim)
    })
  return Object.assign(client, { afterCommit, withTransaction })
}
