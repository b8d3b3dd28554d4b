import { dueDateOf, isLevelDue, levelDays, remindedUpTo } from "@livery/domain"
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

describe("the level that is due", () => {
  const levels = [{ days: 0 }, { days: 3 }, { days: 14 }]
  const due = (reached: number, last: string | null, now: string, timezone = "UTC") =>
    isLevelDue(
      { due_date: "2026-12-01", last_reminder_at: last === null ? null : at(last) },
      levelDays(levels, reached),
      at(now),
      timezone
    )

  it("is reached on its day, from nine o'clock in the business's zone on", () => {
    assert.isFalse(due(0, null, "2026-12-01T08:59:59Z"))
    assert.isTrue(due(0, null, "2026-12-01T09:00:00Z"))
    assert.isTrue(due(0, null, "2026-12-01T00:00:00Z", "Asia/Tokyo"))
    assert.isFalse(due(0, null, "2026-12-01T13:59:59Z", "America/New_York"))
  })

  it("waits for the days between two levels after the last reminder, also after a pause", () => {
    assert.isFalse(due(1, "2026-12-01T09:00:00Z", "2026-12-04T08:59:59Z"))
    assert.isTrue(due(1, "2026-12-01T09:00:00Z", "2026-12-04T09:00:00Z"))
    assert.isFalse(due(1, "2027-06-01T12:00:00Z", "2027-06-04T08:59:59Z"))
    assert.isTrue(due(1, "2027-06-01T12:00:00Z", "2027-06-04T09:00:00Z"))
    assert.isFalse(due(2, "2027-06-04T12:00:00Z", "2027-06-14T12:00:00Z"))
    assert.isTrue(due(2, "2027-06-04T12:00:00Z", "2027-06-15T09:00:00Z"))
  })

  it("is computed by calendar days also across a clock change", () => {
    assert.strictEqual(remindedUpTo(at("2026-03-29T07:00:00Z"), "Europe/Berlin", 1), "2026-03-28")
    assert.strictEqual(remindedUpTo(at("2026-03-29T06:59:00Z"), "Europe/Berlin", 1), "2026-03-27")
    assert.strictEqual(remindedUpTo(at("2026-10-25T08:00:00Z"), "Europe/Berlin", 0), "2026-10-25")
  })
})
