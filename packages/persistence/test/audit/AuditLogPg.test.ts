import { AuditLog, Transaction } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { at, TestPersistence, newBusiness, unique } from "../support/TestPersistence.ts"

const entriesOf = Effect.fnUntraced(function* (subject: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`
    SELECT at, actor, action, business_id, before, after, reason FROM audit_log
    WHERE subject = ${subject} ORDER BY audit_id`
})

layer(TestPersistence)("the audit log", (it) => {
  it.effect("stores the author, the action, the subject, before, after, the reason and the time", () =>
    Effect.gen(function* () {
      const audit = yield* AuditLog
      const subject = unique("business")
      const businessId = yield* newBusiness()
      yield* TestClock.setTime(DateTime.toEpochMillis(at("09:30:00")))
      yield* audit.record({
        actor: "user:17",
        action: "business.suspended",
        subject,
        businessId,
        before: { status: "A", tags: ["a", null] },
        after: { status: "D", note: 'it\'s "quoted" 🚘' },
        reason: "unpaid"
      })
      yield* audit.record({ actor: "cli:anna", action: "looked", subject, before: null, after: [1, 2] })
      const [first, second] = yield* entriesOf(subject)
      assert.deepStrictEqual(
        { ...first },
        {
          at: new Date("2026-11-20T09:30:00Z"),
          actor: "user:17",
          action: "business.suspended",
          business_id: businessId,
          before: { status: "A", tags: ["a", null] },
          after: { status: "D", note: 'it\'s "quoted" 🚘' },
          reason: "unpaid"
        }
      )
      assert.deepInclude(second, { business_id: null, before: null, after: [1, 2], reason: null })
    })
  )

  it.effect("contains nothing of a change that was rolled back", () =>
    Effect.gen(function* () {
      const audit = yield* AuditLog
      const transaction = yield* Transaction
      const subject = unique("undone")
      const record = audit.record({ actor: "cli:anna", action: "tried", subject })
      yield* Effect.ignore(transaction.run(Effect.andThen(record, Effect.fail("no"))))
      assert.deepStrictEqual(yield* entriesOf(subject), [])
    })
  )
})
