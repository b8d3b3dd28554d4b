/** Writes an entry to the audit log and to the program's log. */
import { Effect } from "effect"
import { CurrentReason } from "../kernel/CurrentReason.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { type AuditEntry, AuditLog } from "./AuditLog.ts"

/** The level of the entry's line in the program's log. */
export type AuditLevel = "info" | "warning"

/**
 * Builds the function that stores an entry in the audit log, with the reason of {@link CurrentReason} if it has none of its
 * own. After the commit, it also writes the entry to the program's log, as one structured line. A transaction that is rolled
 * back leaves neither.
 */
export const makeAuditTrail = Effect.gen(function* () {
  const audit = yield* AuditLog
  const transaction = yield* Transaction
  return Effect.fnUntraced(function* (entry: AuditEntry, level: AuditLevel = "info"): Effect.fn.Return<void> {
    const { action, actor, after, businessId, subject } = entry
    const reason = entry.reason ?? (yield* CurrentReason)
    const line = {
      action,
      actor,
      subject,
      ...(businessId === undefined ? {} : { business_id: businessId }),
      ...(reason === null ? {} : { reason }),
      ...(after === undefined ? {} : { after })
    }
    yield* audit.record(reason === null ? entry : { ...entry, reason })
    yield* transaction.afterCommit(
      level === "warning" ? Effect.logWarning("audit", line) : Effect.logInfo("audit", line)
    )
  })
})
