import { AuditLog } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
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
})
