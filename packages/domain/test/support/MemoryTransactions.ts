import { Transaction } from "@livery/domain"
import { Effect, Layer } from "effect"

/** `Transaction` in memory: it counts open transactions and commits. It rolls nothing back; tests of persistence do. */
export const memoryTransactions = () => {
  const state = { open: 0, committed: 0 }
  const layer = Layer.succeed(
    Transaction,
    Transaction.of({
      run: (work) =>
        Effect.suspend(() => {
          state.open++
          return work
        }).pipe(
          Effect.tap(() => Effect.sync(() => state.committed++)),
          Effect.ensuring(Effect.sync(() => state.open--))
        ),
      afterCommit: (effect) => effect
    })
  )
  /** Records whether an effect ran inside a transaction. */
  const noting = <A, E, R>(into: Array<string>, what: string, effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      into.push(`${what} ${state.open > 0 ? "inside" : "outside"}`)
      return effect
    })
  return { state, layer, noting }
}
