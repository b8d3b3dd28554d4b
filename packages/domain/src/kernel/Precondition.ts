/** What a caller takes for granted of a record that it is about to change. */
import { Effect } from "effect"
import type { Conflict } from "./Errors.ts"

/**
 * Checks the record as it stands, inside of the transaction that changes it and with its row locked; fails with
 * `Conflict` when it is no longer the one that the caller saw.
 */
export type Precondition<A> = (current: A) => Effect.Effect<void, Conflict>

/** Takes nothing for granted. */
export const unconditional: Precondition<unknown> = () => Effect.void
