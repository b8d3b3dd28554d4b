/** The domain's `AuditHistory` on PostgreSQL. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AuditHistory, StoredAuditEntry } from "@livery/domain"
import { columnsOf } from "../sql/Columns.ts"
import { pagesOf } from "../sql/Pages.ts"

const pageOfEntries = pagesOf(StoredAuditEntry)

export const layer = Layer.effect(
  AuditHistory,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(columnsOf(StoredAuditEntry))
    return AuditHistory.of({
      list: ({ action, actor, businessId, subject }, page) => {
        const conditions = Object.entries({ action, actor, business_id: businessId, subject }).flatMap(
          ([column, value]) =>
            value === undefined || value === null ? [] : [sql`${sql.literal(column)} = ${value}`]
        )
        return pageOfEntries(sql, page, {
          columns,
          from: sql`audit_history`,
          where: sql.and(conditions),
          order: sql`audit_id DESC`
        })
      }
    })
  })
)
