/** Writing to the audit log and to the program's log at once. */
import { Effect } from "effect"
import { Transaction } from "../kernel/Transaction.ts"
import { type AuditEntry, AuditLog } from "./AuditLog.ts"

/** How much a log line wants to be looked at. */
export type Gravity = "usual" | "alarming"

/**
 * Keeps an entry in the audit log and says it in the program's log, as one structured line, once it is committed:
 * what was rolled back never happened.
 */
export const auditTrail = Effect.gen(function* () {
  const audit = yield* AuditLog
  const transaction = yield* Transaction
  return Effect.fnUntraced(function* (entry: AuditEntry, gravity: Gravity = "usual"): Effect.fn.Return<void> {
    const { action, actor, after, businessId, reason, subject } = entry
    const line = {
      action,
      actor,
      subject,
      ...(businessId === undefined ? {} : { business_id: businessId }),
      ...(reason === undefined ? {} : { reason }),
      ...(after === undefined ? {} : { after })
    }
    yield* audit.record(entry)
    yield* transaction.afterCommit(
      gravity === "alarming" ? Effect.logWarning("audit", line) : Effect.logInfo("audit", line)
    )
  })
})
