import { assert, it } from "@effect/vitest"
import { DateTime } from "effect"
import { isLicenseExpired } from "../../src/trips/schedule/TripFit.ts"

it("a licence is expired if its last day is before the trip's last day, and midnight ends the day before it", () => {
  const from2100 = (duration_minutes: number) => ({
    trip_date: DateTime.makeUnsafe("2026-12-24T20:00:00Z"),
    duration_minutes
  })
  const isExpired = (duration: number) => isLicenseExpired("2026-12-24", from2100(duration), "Europe/Zurich")
  assert.deepStrictEqual([179, 180, 181].map(isExpired), [false, false, true])
})
