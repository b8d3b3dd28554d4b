import { assert, describe, it } from "@effect/vitest"
import {
  LocationBatchInput,
  LocationInput,
  type Position,
  positionOf,
  positionRecord,
  positionsOf,
  maxReportsPerBatch,
  staleAfterSeconds
} from "@livery/domain"
import { DateTime } from "effect"
import { decoded, issuesOf } from "../support/Decoding.ts"

const now = DateTime.makeUnsafe("2026-11-20T09:30:00.500Z")
const here = { lat: 47.3769, lng: 8.5417 }
const position = (recorded_at: string): Position => ({
  ...here,
  accuracy: null,
  heading: null,
  speed: null,
  recorded_at: DateTime.makeUnsafe(recorded_at)
})
const reportedAt = (...[recorded_at]: ReadonlyArray<string | null>) => {
  const report = recorded_at === undefined ? here : { ...here, recorded_at }
  return DateTime.formatIso(positionOf(decoded(LocationInput, report), now).recorded_at)
}

describe("a report", () => {
  it("needs a valid latitude and longitude, and names each wrong field", () => {
    assert.deepStrictEqual(issuesOf(LocationInput, {}), ["lat required", "lng required"])
    assert.deepStrictEqual(
      issuesOf(LocationInput, { lat: 90.1, lng: "8", heading: 361, recorded_at: "yesterday" }),
      ["lat out_of_range", "lng invalid", "heading out_of_range", "recorded_at invalid"]
    )
    for (const lat of [-90, 90, 0]) assert.deepStrictEqual(issuesOf(LocationInput, { lat, lng: -180 }), [])
    assert.deepStrictEqual(issuesOf(LocationInput, JSON.parse('{ "lat": 1e400, "lng": null }')), [
      "lat out_of_range",
      "lng required"
    ])
  })

  it("is null where the phone could not measure", () => {
    const reported = positionOf(decoded(LocationInput, { ...here, accuracy: 5, heading: -1, speed: -1 }), now)
    assert.deepInclude(reported, { accuracy: 5, heading: null, speed: null })
  })

  it("has the time of its arrival unless it states one, to the millisecond, in UTC unless it has an offset", () => {
    assert.strictEqual(reportedAt(), "2026-11-20T09:30:00.500Z")
    assert.strictEqual(reportedAt(null), "2026-11-20T09:30:00.500Z")
    assert.strictEqual(reportedAt("2026-11-20T09:29:59.123Z"), "2026-11-20T09:29:59.123Z")
    assert.strictEqual(reportedAt("2026-11-20T10:29:59+01:00"), "2026-11-20T09:29:59.000Z")
    assert.strictEqual(reportedAt("2026-11-20T10:29:59+0100"), "2026-11-20T09:29:59.000Z")
    assert.strictEqual(reportedAt("2026-11-20 09:29:59"), "2026-11-20T09:29:59.000Z")
    assert.strictEqual(reportedAt("2026-11-20t09:29z"), "2026-11-20T09:29:00.000Z")
  })

  it("has the time of its arrival if the phone's clock is more than a minute ahead, each position by itself", () => {
    const times = (...stated: ReadonlyArray<string>) => {
      const { ahead, positions } = positionsOf(
        stated.map((recorded_at) => decoded(LocationInput, { ...here, recorded_at })),
        now
      )
      return [positions.map(({ recorded_at }) => DateTime.formatIso(recorded_at)), ahead]
    }
    assert.deepStrictEqual(times("2026-11-20T09:31:00.500Z"), [["2026-11-20T09:31:00.500Z"], 0])
    assert.deepStrictEqual(
      times("2026-11-20T09:31:00.501Z", "2026-11-20T09:20:00.000Z", "2027-01-01T00:00:00.000Z"),
      [["2026-11-20T09:20:00.000Z", "2026-11-20T09:30:00.500Z", "2026-11-20T09:30:00.500Z"], 2]
    )
  })

  it("comes in batches of 1 to 500, and each wrong field is named by its place", () => {
    const batch = (count: number) => ({ locations: Array.from({ length: count }, () => here) })
    assert.deepStrictEqual(issuesOf(LocationBatchInput, {}), ["locations required"])
    assert.deepStrictEqual(issuesOf(LocationBatchInput, batch(0)), ["locations required"])
    assert.deepStrictEqual(issuesOf(LocationBatchInput, batch(1)), [])
    assert.deepStrictEqual(issuesOf(LocationBatchInput, batch(maxReportsPerBatch)), [])
    assert.deepStrictEqual(issuesOf(LocationBatchInput, batch(maxReportsPerBatch + 1)), [
      "locations too_long"
    ])
    assert.deepStrictEqual(
      issuesOf(LocationBatchInput, { locations: [here, { lat: 1 }, { ...here, lat: 91 }] }),
      ["locations.1.lng required", "locations.2.lat out_of_range"]
    )
  })
})

describe("a position", () => {
  it("has its age in whole seconds, and is stale once that is more than two minutes", () => {
    const aged = (seconds: number) =>
      positionRecord(
        position("2026-11-20T09:30:00Z"),
        DateTime.makeUnsafe(Date.parse("2026-11-20T09:30:00Z") + seconds * 1000)
      )
    assert.deepInclude(aged(0), { age_seconds: 0, stale: false, recorded_at: "2026-11-20T09:30:00Z" })
    assert.deepInclude(aged(59.9), { age_seconds: 59, stale: false })
    assert.deepInclude(aged(staleAfterSeconds), { age_seconds: 120, stale: false })
    assert.deepInclude(aged(121), { age_seconds: 121, stale: true })
  })

  it("is never later than now, even if the phone's clock is ahead", () => {
    assert.deepInclude(positionRecord(position("2026-11-20T09:30:30Z"), now), {
      age_seconds: 0,
      stale: false
    })
  })
})
