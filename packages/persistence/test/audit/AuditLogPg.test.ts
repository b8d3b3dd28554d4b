import { AuditLog } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { growingTables, sweepTable } from "../../src/platform/Generations.ts"
import { newBusiness, TestPersistence, unique } from "../support/TestPersistence.ts"

layer(TestPersistence)("the audit log on PostgreSQL", (it) => {
  it.effect("stores the business; absent parts are null", () =>
    Effect.gen(function* () {
      const audit = yield* AuditLog
      const sql = yield* SqlClient.SqlClient
      const subject = unique("business")
      const businessId = yield* newBusiness()
      yield* audit.record({ actor: "cli:anna", action: "looked", subject, businessId, before: null })
      const [row] = yield* sql`
        SELECT business_id, before, after, reason FROM audit_log WHERE subject = ${subject}`
      assert.deepInclude(row, { business_id: businessId, before: null, after: null, reason: null })
    })
  )

  it.effect(
    "refuses to delete an entry, to truncate the log, or to change an entry's author, action, record or time, in any generation",
    () =>
      Effect.gen(function* () {
        const audit = yield* AuditLog
        const sql = yield* SqlClient.SqlClient
        const subject = unique("business")
        yield* audit.record({ actor: "cli:anna", action: "looked", subject, reason: "Ada asked" })
        const entries = sql`SELECT * FROM audit_history WHERE subject = ${subject}`
        const tables = Effect.map(
          sql<{ name: string }>`
            SELECT 'audit_history' AS name UNION ALL
            SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'audit_history'::regclass`,
          (rows) => rows.map(({ name }) => name)
        )
        for (const generation of ["current", "older"]) {
          const before = yield* entries
          assert.lengthOf(before, 1)
          for (const change of [
            sql`DELETE FROM audit_history WHERE subject = ${subject}`,
            sql`UPDATE audit_history SET actor = 'cli:eve' WHERE subject = ${subject}`,
            sql`UPDATE audit_history SET action = 'slept' WHERE subject = ${subject}`,
            sql`UPDATE audit_history SET subject = 'business:1' WHERE subject = ${subject}`,
            sql`UPDATE audit_history SET at = now() WHERE subject = ${subject}`,
            ...(yield* tables).map((table) => sql.unsafe(`TRUNCATE ${table}`))
          ])
            assert.include(String((yield* Effect.flip(change)).cause), "append-only", generation)
          assert.deepStrictEqual(yield* entries, before)
          // Erasing a person replaces their data.
          yield* sql`UPDATE audit_history SET reason = 'erased' WHERE subject = ${subject}`
          assert.deepStrictEqual(yield* entries, [{ ...before[0], reason: "erased" }])
          yield* sql`UPDATE table_generations SET started_at = started_at - interval '8 days'
          WHERE table_name = 'audit_log'`
          yield* sweepTable(growingTables.audit, 30)
        }
      })
  )
})
