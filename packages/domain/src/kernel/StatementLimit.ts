/** The limit of the statement that reads a list. */
import { type Cause, Context, Schema } from "effect"
import { causedBy } from "./Faults.ts"

/**
 * How long a statement of the current fiber may take, in milliseconds; `undefined` for no limit but the session's. The wait for
 * a session of the database does not count. A statement that takes longer is cancelled, and fails by a {@link StatementStopped}
 * when the database has confirmed that.
 */
export const StatementLimit = Context.Reference<number | undefined>("@livery/domain/StatementLimit", {
  defaultValue: () => undefined
})

/** The database runs, and has stopped a statement at its {@link StatementLimit}. A database that is silent is `Unavailable`. */
export class StatementStopped extends Schema.TaggedError<StatementStopped>()("StatementStopped", {}) {
  override get message() {
    return "The statement took longer than its limit"
  }
}

const isStopped = Schema.is(StatementStopped)

/** Whether a {@link StatementStopped} is in a failure's chain of causes. */
export const isStatementStopped = (cause: Cause.Cause<unknown>): boolean =>
  causedBy(cause, isStopped) !== undefined
