import { Transaction } from "@livery/domain"
import { Effect, Layer } from "effect"

/** A transaction that commits at once, and knows whether one is open. Rolling back is persistence's to prove. */
export const transactions = () => {
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
  /** Notes whether the effect ran inside of a transaction. */
  const noting = <A, E, R>(into: Array<string>, what: string, effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      into.push(`${what} ${state.open > 0 ? "inside" : "outside"}`)
      return effect
    })
  return { state, layer, noting }
}
