/** The domain's `Transaction` in memory. Transactions never conflict, so they are never retried. */
import { Transaction } from "@livery/domain"
import { inMemory } from "./Store.ts"

export const layer = inMemory(Transaction, ({ afterCommit, run }) => ({
  run: (work) => run(work),
  afterCommit
}))
