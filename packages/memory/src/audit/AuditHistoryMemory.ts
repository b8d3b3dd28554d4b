import { AuditHistory } from "@livery/domain"
import { pageOf } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

/** Whether a field has the value of its filter; true without a filter. */
const matches = (filter: number | string | null | undefined, value: number | string | undefined) =>
  filter === undefined || filter === null || filter === value

export const layer = inMemory(AuditHistory, ({ audit, step }) => ({
  list: ({ action, actor, businessId, subject }, page) =>
    step(() => {
      const listed = audit
        .where(
          (row) =>
            matches(action, row.action) &&
            matches(actor, row.actor) &&
            matches(businessId, row.businessId) &&
            matches(subject, row.subject)
        )
        .toReversed()
      const entries = listed.map(({ after, auditId, before, requestId, reason, ...row }) => ({
        audit_id: auditId,
        at: row.at,
        actor: row.actor,
        action: row.action,
        subject: row.subject,
        business_id: row.businessId ?? null,
        before: before ?? null,
        after: after ?? null,
        reason: reason ?? null,
        request_id: requestId
      }))
      return pageOf(entries, page)
    })
}))
