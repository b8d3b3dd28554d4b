/** Observes transactions and the calls that are made in them. */
import { type AuditEntry, AuditLog, Transaction } from "@livery/domain"
import { Effect, Layer } from "effect"

export const observed = () => {
  const calls: Array<string> = []
  const state = { open: 0, committed: 0 }

  /** Records a call, and whether it is made inside a transaction. */
  const observing = <A, E, R>(what: string, effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      calls.push(`${what} ${state.open > 0 ? "inside" : "outside"}`)
      return effect
    })

  /** `Transaction` that counts open transactions and commits. */
  const Transactions = Layer.effect(
    Transaction,
    Effect.map(Transaction, ({ afterCommit, run }) =>
      Transaction.of({
        afterCommit,
        run: (work, options) =>
          run(
            Effect.suspend(() => {
              state.open += 1
              return work
            }).pipe(
              Effect.tap(() => Effect.sync(() => (state.committed += 1))),
              Effect.ensuring(Effect.sync(() => (state.open -= 1)))
            ),
            options
          )
      })
    )
  )

  const audit: Array<AuditEntry> = []
  /** `AuditLog` that notes its calls as `audit` and keeps the entries. */
  const AuditLogs = Layer.effect(
    AuditLog,
    Effect.map(AuditLog, (log) =>
      AuditLog.of({
        record: (entry) =>
          observing(
            "audit",
            Effect.tap(log.record(entry), () => Effect.sync(() => void audit.push(entry)))
          )
      })
    )
  )
  return { audit, AuditLogs, calls, observing, state, Transactions }
}
