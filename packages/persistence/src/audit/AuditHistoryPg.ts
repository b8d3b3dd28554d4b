/** The domain's `AuditHistory` on PostgreSQL. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AuditHistory, StoredAuditEntry } from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { withValues } from "../sql/lists/ValueIndex.ts"

const pageOfEntries = pagesOf(StoredAuditEntry)

export const layer = Layer.effect(
  AuditHistory,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(columnsOf(StoredAuditEntry))
    return AuditHistory.of({
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
    })
  })
)
