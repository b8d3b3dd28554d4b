// The ports on PostgreSQL keep the contracts of the domain's ports, by the statements of the record.
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Records } from "../../../test/contract/Contract.ts"
import { contracts } from "../../../test/contract/index.ts"
import { TestDatabase } from "../../../test/support/TestDatabase.ts"
import { differences } from "../../../scripts/statements/Record.ts"
import { persistenceOn } from "./support/TestPersistence.ts"

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

const sent = new Set<string>()

const database = TestDatabase.reporting((statement) => {
  // The contracts read the audit log by this statement, and no port does.
  if (!statement.includes("FROM audit_log WHERE subject")) sent.add(statement)
})

const Ports = RecordsPg.pipe(Layer.provideMerge(persistenceOn(database)))

for (const contract of contracts) contract(Ports)

it("the record of statements has those of the ports: npm run statements:write", () => {
  assert.deepStrictEqual(differences("ports", sent), [])
})
