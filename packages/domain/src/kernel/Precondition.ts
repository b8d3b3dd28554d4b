/** A condition that a caller attaches to a change of a record. */
import { Effect } from "effect"
import type { Conflict } from "./Errors.ts"

/**
 * Checks the current record inside the transaction that changes it, with its row locked. It fails with `Conflict` if the
 * record has changed since the caller read it.
 */
export type Precondition<A> = (current: A) => Effect.Effect<void, Conflict>

/** The condition that always holds. */
export const unconditional: Precondition<unknown> = () => Effect.void
