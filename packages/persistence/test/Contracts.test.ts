// The ports on PostgreSQL keep the contracts of the domain's ports.
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Records } from "../../../test/contract/Contract.ts"
import { contracts } from "../../../test/contract/index.ts"
import { TestPersistence } from "./support/TestPersistence.ts"

interface AuditRow {
  readonly at: Date
  readonly actor: string
  readonly action: string
  readonly before: never
  readonly after: never
  readonly reason: string
}

const RecordsPg = Layer.effect(
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

const Ports = RecordsPg.pipe(Layer.provideMerge(TestPersistence))

for (const contract of contracts) contract(Ports)
