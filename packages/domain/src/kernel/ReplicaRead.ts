import { Context } from "effect"

/**
 * Whether a replica of the database may answer the statements of the current fiber that are outside of a transaction. The
 * answer is the same as the primary's: it has every change that was acknowledged before the statement. Set it for long reads.
 */
export const ReplicaRead = Context.Reference<boolean>("@livery/domain/ReplicaRead", {
  defaultValue: () => false
})
