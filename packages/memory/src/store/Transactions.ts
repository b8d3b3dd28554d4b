/**
 * Transactions in memory. They run one after the other, and each call outside of a transaction is a transaction of its own.
 * So a transaction never sees the uncommitted work of another one, and needs no row locks.
 *
 * A transaction must not wait for a fiber that uses the store outside of it, because that fiber waits for its end.
 */
import { Context, Effect, Exit, Semaphore } from "effect"

interface OpenTransaction {
  /** The reversals of its changes, in their order. */
  readonly undo: Array<() => unknown>
  readonly afterCommit: Array<Effect.Effect<void>>
}

/** The transaction that the fiber runs in. It may have ended, if the fiber outlives it. */
const CurrentTransaction = Context.Reference<OpenTransaction | undefined>(
  "@livery/memory/CurrentTransaction",
  { defaultValue: () => undefined }
)

/** The transactions of one store. */
export const makeTransactions = () => {
  const mutex = Semaphore.makeUnsafe(1)
  let open: OpenTransaction | undefined

  /** The open transaction if this fiber runs in it. */
  const current = Effect.map(CurrentTransaction, (transaction) =>
    transaction === open ? transaction : undefined
  )

  const rollBack = (transaction: OpenTransaction, undoTo: number, afterCommitTo: number) => {
    for (const undo of transaction.undo.splice(undoTo).toReversed()) undo()
    transaction.afterCommit.splice(afterCommitTo)
  }

  /** Rolls back the changes that the work made if it does not succeed. */
  const undoOnFailure = <A, E, R>(transaction: OpenTransaction, work: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const [undoTo, afterCommitTo] = [transaction.undo.length, transaction.afterCommit.length]
      return Effect.onExit(work, (exit) =>
        Effect.sync(() => {
          if (Exit.isFailure(exit)) rollBack(transaction, undoTo, afterCommitTo)
        })
      )
    })

  const outermost = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const transaction: OpenTransaction = { undo: [], afterCommit: [] }
      return Effect.suspend(() => {
        open = transaction
        return undoOnFailure(transaction, work)
      }).pipe(
        Effect.provideService(CurrentTransaction, transaction),
        Effect.ensuring(Effect.sync(() => (open = undefined))),
        mutex.withPermits(1),
        Effect.tap(() => Effect.all(transaction.afterCommit, { discard: true }))
      )
    })

  /** Runs the work in a transaction: within the fiber's open one as a part that is rolled back by itself. */
  const run = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(current, (transaction) =>
      transaction === undefined ? outermost(work) : undoOnFailure(transaction, work)
    )

  /** Runs the effect once the outermost transaction has committed; at once outside of one. */
  const afterCommit = (effect: Effect.Effect<void>): Effect.Effect<void> =>
    Effect.flatMap(current, (transaction) =>
      transaction === undefined ? effect : Effect.sync(() => void transaction.afterCommit.push(effect))
    )

  /** Records how to undo a change. Outside of a transaction there is nothing to roll back. */
  const onChange = (undo: () => unknown) => void open?.undo.push(undo)

  return { run, afterCommit, onChange }
}
