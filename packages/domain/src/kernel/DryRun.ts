/** Runs work to learn what it would return, and undoes it. */
import { Data, Effect } from "effect"
import type { Transaction } from "./Transaction.ts"

/** The result of work whose transaction is rolled back. */
class Rehearsed<A> extends Data.TaggedError("Rehearsed")<{ readonly result: A }> {}

/**
 * Runs the work in a transaction that is rolled back, so that it stores nothing and sends no event, and returns its result or
 * its failure: the same as the work itself would have at this moment.
 */
export const rehearsed = <A, E, R>(
  transaction: Transaction["Service"],
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  transaction.run(Effect.flatMap(work, (result) => Effect.fail(new Rehearsed({ result })))).pipe(
    Effect.catchIf(
      (failure): failure is Rehearsed<A> => failure instanceof Rehearsed,
      ({ result }) => Effect.succeed(result)
    )
  )
