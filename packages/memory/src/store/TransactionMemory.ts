/** The domain's `Transaction` in memory. No transaction stands in the way of another one, so that none is run again. */
import { Transaction } from "@livery/domain"
import { Effect, Layer } from "effect"
import { Store } from "./Store.ts"

export const layer = Layer.effect(
  Transaction,
  Effect.map(Store, ({ afterCommit, run }) => Transaction.of({ run: (work) => run(work), afterCommit }))
)
