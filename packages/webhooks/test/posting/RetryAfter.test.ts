import { assert, it } from "@effect/vitest"
import { secondsToWait } from "../../src/posting/RetryAfter.ts"

const now = Date.parse("2026-11-20T09:30:00Z")

it.each([
  ["seconds", "120", 120],
  ["centuries", "99999999999", 99_999_999_999],
  ["more seconds than a number holds", "9".repeat(400), Number.POSITIVE_INFINITY],
  ["a date", "Fri, 20 Nov 2026 09:32:30 GMT", 150],
  ["a date that has passed", "Fri, 20 Nov 2026 09:00:00 GMT", 0],
  ["a negative number", "-5", 0],
  ["a fraction", "1.5", 0],
  ["a date without a zone", "2026-11-20 12:00:00", 0],
  ["something else", "soon", 0],
  ["nothing", undefined, 0]
] as const)("Retry-After may be %s", (_, header, seconds) => {
  assert.strictEqual(secondsToWait(header, now), seconds)
})
