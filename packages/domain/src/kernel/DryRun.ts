/** Runs work to learn what it would return, and undoes it. */
import { Data, Effect, Option } from "effect"
import type { Transaction } from "./Transaction.ts"

/** Rolls back the transaction of work that has succeeded. */
class Rehearsed extends Data.TaggedError("Rehearsed") {}

/**
 * Runs the work in a transaction that is rolled back, so that it stores nothing and sends no event, and returns its result or
 * its failure: the same as the work itself would have at this moment.
 */
export const rehearsed = <A, E, R>(
  transaction: Transaction["Service"],
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    let result = Option.none<A>()
    const rolledBack = Effect.flatMap(work, (value) => {
      result = Option.some(value)
      return new Rehearsed()
    })
    return transaction.run(rolledBack).pipe(
      Effect.catchIf(
        (failure): failure is Rehearsed => failure instanceof Rehearsed,
        () => Effect.sync(() => Option.getOrThrow(result))
      )
    )
  })
