/** The domain's `Transaction` in memory. Transactions never conflict, so they are never retried. */
import { Transaction } from "@livery/domain"
import { Effect, Layer } from "effect"
import { Store } from "./Store.ts"

export const layer = Layer.effect(
  Transaction,
  Effect.map(Store, ({ afterCommit, run }) => Transaction.of({ run: (work) => run(work), afterCommit }))
)
