/** What the contracts of the ports observe in the tables of PostgreSQL. */
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Records } from "../../../../test/contract/Contract.ts"

interface AuditRow {
  readonly at: Date
  readonly actor: string
  readonly action: string
  readonly before: never
  readonly after: never
  readonly reason: string
}

/** The entries of the audit log, in the table `audit_log`. */
export const RecordsPg = Layer.effect(
  Records,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Records.of({
      audit: (subject) =>
        sql<AuditRow>`
          SELECT at, actor, action, before, after, reason FROM audit_log WHERE subject = ${subject} ORDER BY audit_id`.pipe(
          Effect.map((rows) => rows.map((row) => ({ ...row, subject, at: DateTime.fromDateUnsafe(row.at) }))),
          Effect.orDie
        )
    })
  )
)
