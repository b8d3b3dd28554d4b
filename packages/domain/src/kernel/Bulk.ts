/** Making many records by one call: each by the use case that makes one. */
import { Effect, Result } from "effect"
import { Conflict, type InvalidInput } from "./Errors.ts"
import { type Fault, faultOf } from "./Faults.ts"
import { type Bulk, UnreadItem } from "./fields/Bulk.ts"
import { withinPart } from "./idempotency/CurrentRequestParts.ts"
import type { Transaction } from "./Transaction.ts"

type BulkResult<A, E> = Result.Result<A, E | InvalidInput | Conflict | Fault>

/** What became of each item, in the order of the items. */
export type BulkResults<A, E> = ReadonlyArray<BulkResult<A, E>>

const notStored = () => new Conflict({ reason: "Nothing was stored, because another item was refused" })

/** The fault of an item as its failure: the items before it are stored, so that the request itself did not fail. */
const faultAsFailure = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E | Fault> =>
  Effect.catchCause(work, (cause): Effect.Effect<never, E | Fault> => {
    const fault = faultOf(cause)
    return fault === undefined ? Effect.failCause(cause) : Effect.fail(fault)
  })

/**
 * Makes the use case of many records from the use case of one. Each item has its own transaction and its own result: a refused item
 * changes nothing for the others. With `all_or_nothing`, all items are stored in one transaction, or none.
 */
export const makeBulk =
  <Acting, I, A, E>(
    transaction: Transaction["Service"],
    makeOne: (acting: Acting, item: I) => Effect.Effect<A, E>
  ) =>
  (acting: Acting, bulk: Bulk<I>): Effect.Effect<BulkResults<A, E>> => {
    const { all_or_nothing, items } = "items" in bulk ? bulk : { items: bulk, all_or_nothing: false }
    const each = (make: (item: I) => Effect.Effect<A, E | Fault>) =>
      Effect.forEach(items, (item, at): Effect.Effect<BulkResult<A, E>> =>
        item instanceof UnreadItem
          ? Effect.succeed(Result.fail(item.error))
          : Effect.result(withinPart(String(at), make(item)))
      )
    if (!all_or_nothing) return each((item) => faultAsFailure(makeOne(acting, item)))
    const all = Effect.flatMap(
      each((item) => transaction.run(makeOne(acting, item))),
      (results) => (results.every(Result.isSuccess) ? Effect.succeed(results) : Effect.fail(results))
    )
    // The failure rolls the transaction back.
    return transaction
      .run(all)
      .pipe(
        Effect.catch((results) =>
          Effect.succeed(
            results.map((result) => (Result.isSuccess(result) ? Result.fail(notStored()) : result))
          )
        )
      )
  }
