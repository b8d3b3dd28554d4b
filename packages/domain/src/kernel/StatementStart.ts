/** Tells a reader when its statement begins, so that a limit on the statement leaves out the wait for a session. */
import { Context } from "effect"

/** Called in the reader's fiber when a session of the database is free for its statement; `undefined` if nobody asks. */
export const StatementStart = Context.Reference<(() => void) | undefined>("@livery/domain/StatementStart", {
  defaultValue: () => undefined
})
