import { AuditHistory, StoredAuditEntry } from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { withValues } from "../sql/lists/ValueIndex.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const pageOfEntries = pagesOf(StoredAuditEntry)

export const layer = onPostgres(AuditHistory, (sql) => {
  const columns = sql.literal(columnsOf(StoredAuditEntry))
  return {
    list: ({ action, actor, businessId, subject }, page) =>
      pageOfEntries(sql, page, {
        columns,
        from: sql`audit_history`,
        ...withValues(sql, "audit_id", "DESC", [
          ["subject", subject],
          ["business_id", businessId],
          ["actor", actor],
          ["action", action]
        ])
      })
  }
})
