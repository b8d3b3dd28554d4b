import { assert, describe, it } from "@effect/vitest"
import { queryOf, TripFilter, WallClock } from "@livery/domain"
import { issuesOf } from "../support/Decoding.ts"

const now = WallClock.instantOf("2026-11-20T12:00:00Z", "UTC")
const read = (filter: TripFilter, timezone = "UTC") => {
  const { from, before, ...rest } = queryOf(filter, now, timezone)
  return {
    ...rest,
    from: from === undefined ? undefined : WallClock.rfc3339(from),
    before: before === undefined ? undefined : WallClock.rfc3339(before)
  }
}
const bounds = (filter: TripFilter, timezone?: string) => {
  const { from, before, order } = read(filter, timezone)
  return [from, before, order]
}

describe("queryOf", () => {
  it("by default matches every trip, the latest first", () => {
    const given = Object.entries(read({})).filter(([, value]) => value !== undefined)
    assert.deepStrictEqual(given, [["order", "latest"]])
    assert.deepInclude(read({ status: "confirmed", payment_status: "partial" }), {
      status: "confirmed",
      paymentStatus: "partial"
    })
  })

  it("upcoming starts now, the soonest first; previous ends now, the latest first", () => {
    assert.deepStrictEqual(bounds({ filter: "upcoming" }), ["2026-11-20T12:00:00Z", undefined, "soonest"])
    assert.deepStrictEqual(bounds({ filter: "previous" }), [undefined, "2026-11-20T12:00:00Z", "latest"])
  })

  it("days are the business's, both included", () => {
    const days = { date_from: "2026-03-29", date_to: "2026-03-29" }
    assert.deepStrictEqual(bounds(days), ["2026-03-29T00:00:00Z", "2026-03-30T00:00:00Z", "latest"])
    assert.deepStrictEqual(bounds(days, "Europe/Zurich"), [
      "2026-03-28T23:00:00Z",
      "2026-03-29T22:00:00Z",
      "latest"
    ])
    assert.deepStrictEqual(bounds({ date_to: "2026-12-31" }, "America/New_York"), [
      undefined,
      "2027-01-01T05:00:00Z",
      "latest"
    ])
  })

  it("the narrower of the bounds by day and by now applies", () => {
    const upcoming = (date_from: string) => bounds({ filter: "upcoming", date_from })[0]
    assert.strictEqual(upcoming("2026-11-01"), "2026-11-20T12:00:00Z")
    assert.strictEqual(upcoming("2026-11-20"), "2026-11-20T12:00:00Z")
    assert.strictEqual(upcoming("2026-11-21"), "2026-11-21T00:00:00Z")
    const previous = (date_to: string) => bounds({ filter: "previous", date_to })[1]
    assert.strictEqual(previous("2026-11-18"), "2026-11-19T00:00:00Z")
    assert.strictEqual(previous("2026-11-20"), "2026-11-20T12:00:00Z")
    assert.deepStrictEqual(bounds({ filter: "upcoming", date_to: "2026-11-21" }), [
      "2026-11-20T12:00:00Z",
      "2026-11-22T00:00:00Z",
      "soonest"
    ])
  })
})

it("a filter names its unknown values", () => {
  assert.deepStrictEqual(issuesOf(TripFilter, {}), [])
  assert.deepStrictEqual(
    issuesOf(TripFilter, {
      status: "assigned",
      payment_status: "free",
      filter: "soon",
      date_from: "2026-02-30",
      date_to: "yesterday",
      driver_id: 0,
      car_id: -1,
      customer_id: 1.5,
      driver_status: "gone",
      trip_type: "null",
      vehicle_class: "boat",
      reference: " ",
      flight_number: "",
      updated_since: "yesterday"
    }),
    [
      "status unknown_value",
      "payment_status unknown_value",
      "filter unknown_value",
      "date_from invalid",
      "date_to invalid",
      "driver_id out_of_range",
      "car_id out_of_range",
      "customer_id invalid",
      "driver_status unknown_value",
      "trip_type unknown_value",
      "vehicle_class unknown_value",
      "reference required",
      "flight_number required",
      "updated_since invalid"
    ]
  )
})
