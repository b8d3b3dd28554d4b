/** The contract of `AuditLog`. */
import { AuditLog, Transaction } from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { at, contract, Records, unique } from "./Contract.ts"

export const auditLog = contract("the audit log", (it) => {
  it.effect("stores the author, the action, the subject, before, after, the reason and the time", () =>
    Effect.gen(function* () {
      const audit = yield* AuditLog
      const records = yield* Records
      const subject = unique("business")
      yield* TestClock.setTime(DateTime.toEpochMillis(at("09:30:00")))
      const entry = {
        actor: "user:17",
        action: "business.suspended",
        subject,
        before: { status: "A", tags: ["a", null] },
        after: { status: "D", note: 'it\'s "quoted" 🚘' },
        reason: "unpaid"
      }
      yield* audit.record(entry)
      yield* audit.record({ actor: "cli:anna", action: "looked", subject, after: [1, 2] })
      const [first, second] = yield* records.audit(subject)
      assert.deepInclude(first, { ...entry, at: at("09:30:00") })
      assert.deepInclude(second, { actor: "cli:anna", action: "looked", after: [1, 2] })
    })
  )

  it.effect("contains nothing of a change that was rolled back", () =>
    Effect.gen(function* () {
      const audit = yield* AuditLog
      const records = yield* Records
      const transaction = yield* Transaction
      const subject = unique("undone")
      const record = audit.record({ actor: "cli:anna", action: "tried", subject })
      yield* Effect.ignore(transaction.run(Effect.andThen(record, Effect.fail("no"))))
      assert.deepStrictEqual(yield* records.audit(subject), [])
    })
  )
})
