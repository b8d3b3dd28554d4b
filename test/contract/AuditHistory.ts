/** The contract of `AuditHistory`. */
import { AuditHistory, AuditLog, CurrentRequestId } from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { at, contract, unique } from "./Contract.ts"
import { newBusiness, wholeList } from "./Given.ts"

export const auditHistory = contract("the history of the audit log", (it) => {
  it.effect("has the newest entry first, and each filter narrows it", () =>
    Effect.gen(function* () {
      const [audit, history] = [yield* AuditLog, yield* AuditHistory]
      const business = yield* newBusiness
      const [actor, subject] = [unique("user"), unique("business")]
      yield* TestClock.setTime(DateTime.toEpochMillis(at("09:30:00")))
      yield* audit
        .record({
          actor,
          action: "one",
          subject,
          businessId: business,
          after: { status: "D" },
          reason: "unpaid"
        })
        .pipe(Effect.provideService(CurrentRequestId, "req_1"))
      yield* audit.record({ actor: "cli:anna", action: "two", subject })
      const actions = (filter: Parameters<typeof history.list>[0]) =>
        Effect.map(history.list(filter, wholeList), ({ items }) => items.map(({ action }) => action))
      assert.deepStrictEqual(yield* actions({ subject }), ["two", "one"])
      assert.deepStrictEqual(yield* actions({ subject, action: "two" }), ["two"])
      assert.deepStrictEqual(yield* actions({ actor }), ["one"])
      assert.deepStrictEqual(yield* actions({ subject, actor: "cli:anna" }), ["two"])
      assert.deepStrictEqual(yield* actions({ businessId: business }), ["one"])
      const { items } = yield* history.list({ actor }, wholeList)
      const [{ audit_id, ...entry }] = items as [(typeof items)[number]]
      assert.isAbove(audit_id, 0)
      assert.deepStrictEqual(entry, {
        at: at("09:30:00"),
        actor,
        action: "one",
        subject,
        business_id: business,
        before: null,
        after: { status: "D" },
        reason: "unpaid",
        request_id: "req_1"
      })
    })
  )
})
