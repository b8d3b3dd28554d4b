/** What the server would say to an assignment; nothing is changed. */
import type { Failure } from "../../api/Failure.ts"
import type { Entry, Warning } from "./state.ts"

/** What the server would answer. */
export interface Verdict {
  readonly warnings: ReadonlyArray<Warning>
  /** Why it would refuse; it may be one that can be confirmed. */
  readonly refusal: Failure | undefined
}

/** Asks the server. */
export const tryCrews = async (_entries: ReadonlyArray<Entry>): Promise<Verdict | undefined> => undefined
