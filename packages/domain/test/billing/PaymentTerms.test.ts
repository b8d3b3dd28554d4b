import { dueDateOf, reminderDue, remindedUpTo } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"

const at = (text: string) => DateTime.makeUnsafe(text)

describe("the due date of an invoice", () => {
  it("is the day of issue plus the days of the terms, and absent without terms", () => {
    assert.strictEqual(dueDateOf("2026-12-31", 14), "2027-01-14")
    assert.strictEqual(dueDateOf("2026-12-31", 0), "2026-12-31")
    assert.isNull(dueDateOf("2026-12-31", null))
  })
})

describe("the reminder that is due", () => {
  it("is the greatest step that has been reached, from nine o'clock in the business's zone on", () => {
    const steps = [3, 14, 0]
    const due = (now: string, timezone = "UTC") => reminderDue("2026-12-01", at(now), timezone, steps)
    assert.isUndefined(due("2026-12-01T08:59:59Z"))
    assert.strictEqual(due("2026-12-01T09:00:00Z"), 0)
    assert.strictEqual(due("2026-12-04T08:59:59Z"), 0)
    assert.strictEqual(due("2026-12-04T09:00:00Z"), 3)
    assert.strictEqual(due("2027-06-01T00:00:00Z"), 14)
    assert.strictEqual(due("2026-12-04T00:00:00Z", "Asia/Tokyo"), 3)
    assert.strictEqual(due("2026-12-04T09:00:00Z", "America/New_York"), 0)
    assert.isUndefined(reminderDue("2026-12-01", at("2027-06-01T00:00:00Z"), "UTC", []))
  })

  it("is computed by calendar days also across a clock change", () => {
    assert.strictEqual(remindedUpTo(at("2026-03-29T07:00:00Z"), "Europe/Berlin", 1), "2026-03-28")
    assert.strictEqual(remindedUpTo(at("2026-03-29T06:59:00Z"), "Europe/Berlin", 1), "2026-03-27")
    assert.strictEqual(remindedUpTo(at("2026-10-25T08:00:00Z"), "Europe/Berlin", 0), "2026-10-25")
  })
})
