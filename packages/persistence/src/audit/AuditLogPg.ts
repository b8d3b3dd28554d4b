import { DateTime, Effect } from "effect"
import { AuditLog, CurrentRequestId } from "@livery/domain"
import { instant } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

/**
 * The audit log in the table `audit_log`. An entry is part of the open transaction, so that it commits with the change
 * that it describes.
 */
export const layer = onPostgres(AuditLog, (sql) => ({
  record: Effect.fnUntraced(function* (entry) {
    const { action, actor, after, before, businessId = null, reason = null, subject } = entry
    const now = instant(yield* DateTime.now)
    const requestId = (yield* CurrentRequestId) ?? null
    yield* Effect.orDie(sql`
        INSERT INTO audit_log (at, actor, action, subject, business_id, before, after, reason, request_id)
        VALUES (${now}, ${actor}, ${action}, ${subject}, ${businessId},
                ${json(before)}, ${json(after)}, ${reason}, ${requestId})`)
  })
}))
