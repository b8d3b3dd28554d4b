import { assert, describe, it } from "@effect/vitest"
import { WallClock } from "@livery/domain"
import { DateTime, Schema } from "effect"
import { issuesOf } from "../../support/Decoding.ts"

const { endOfDay, instantOf, rfc3339, startOfDay, wallClock } = WallClock
const zones = [
  "UTC",
  "Europe/Zurich",
  "America/New_York",
  "America/Sao_Paulo",
  "Asia/Kathmandu",
  "Africa/Cairo",
  "Australia/Lord_Howe",
  "Pacific/Kiritimati",
  "Pacific/Marquesas"
] as const

const read = (text: string, zone = "UTC") => rfc3339(instantOf(text, zone))
const hours = (day: string, zone: string) =>
  (endOfDay(day, zone).epochMilliseconds - startOfDay(day, zone).epochMilliseconds) / 3_600_000

describe("Timestamp", () => {
  it("is RFC 3339, with or without an offset, seconds and fractions", () => {
    const good = [
      "2026-11-20T09:30:00Z",
      "2026-11-20t09:30:00z",
      "2026-11-20 09:30:00",
      "2026-11-20T09:30",
      "2026-11-20T09:30:00.1Z",
      "2026-11-20T09:30:00.123456789Z",
      "2026-11-20T09:30:00+14:00",
      "2026-11-20T09:30:00-1200",
      " 2026-11-20T09:30:00Z ",
      "2028-02-29T00:00:00Z",
      "2999-12-31T23:59:59Z"
    ]
    for (const text of good) {
      assert.deepStrictEqual(issuesOf(WallClock.Timestamp, text), [], text)
      assert.doesNotThrow(() => instantOf(text, "Europe/Zurich"), text)
    }
  })

  it("refuses dates, times and offsets that do not exist", () => {
    const bad = [
      "2026-02-30T09:30:00Z",
      "2026-02-29T09:30:00Z",
      "2026-04-31T09:30:00Z",
      "2026-13-01T09:30:00Z",
      "2026-00-10T09:30:00Z",
      "2026-01-00T09:30:00Z",
      "2026-11-20T24:00:00Z",
      "2026-11-20T09:60:00Z",
      "2026-11-20T09:30:60Z",
      "2026-11-20T09:30:00+15:00",
      "2026-11-20T09:30:00+01:60",
      "2026-11-20T09:30:00+1",
      "2026-11-20T09:30:00.Z",
      "2026-11-20T9:30:00Z",
      "2026-11-20",
      "20.11.2026 09:30",
      "1969-12-31T23:59:59Z",
      "3000-01-01T00:00:00Z",
      "2026-11-20T09:30:00Z\u0000",
      "tomorrow",
      "1790000000"
    ]
    for (const text of bad) assert.deepStrictEqual(issuesOf(WallClock.Timestamp, text), [" invalid"], text)
    for (const text of ["", "  "]) assert.deepStrictEqual(issuesOf(WallClock.Timestamp, text), [" required"])
  })

  it("is an instant of the years 1970 to 2999 in UTC, whatever its offset", () => {
    const good = [
      ["1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"],
      ["1970-01-01T14:00:00+14:00", "1970-01-01T00:00:00Z"],
      ["1969-12-31T23:00:00-01:00", "1970-01-01T00:00:00Z"],
      ["2999-12-31T23:59:59.999Z", "2999-12-31T23:59:59Z"],
      ["2999-12-31T09:59:59-1400", "2999-12-31T23:59:59Z"],
      ["3000-01-01T00:29:59+00:30", "2999-12-31T23:59:59Z"]
    ] as const
    for (const [text, instant] of good) {
      assert.deepStrictEqual(issuesOf(WallClock.Timestamp, text), [], text)
      assert.strictEqual(read(text), instant)
      assert.deepStrictEqual(issuesOf(WallClock.Timestamp, instant), [], instant)
    }
    const bad = [
      "1970-01-01T00:00:00+00:01",
      "1970-01-01T13:59:59+14:00",
      "1969-12-31T23:59:59Z",
      "2999-12-31T23:59:59-14:00",
      "2999-12-31T10:00:00-14:00",
      "2999-12-31 23:59-00:01",
      "3000-01-01T00:00:00Z"
    ]
    for (const text of bad) {
      assert.deepStrictEqual(issuesOf(WallClock.Timestamp, text), [" invalid"], text)
      assert.deepStrictEqual(issuesOf(WallClock.OptionalTimestamp, text), [" invalid"], text)
    }
  })

  it("without an offset is accepted if it is an instant of these years in every time zone", () => {
    for (const text of ["1970-01-01T14:00", "2999-12-31T09:59:59"]) {
      assert.deepStrictEqual(issuesOf(WallClock.Timestamp, text), [], text)
      for (const zone of zones)
        assert.deepStrictEqual(issuesOf(WallClock.Timestamp, read(text, zone)), [], `${text} ${zone}`)
    }
    for (const text of ["1970-01-01T13:59:59", "1970-01-01 00:00", "2999-12-31T10:00", "2999-12-31T23:59:59"])
      assert.deepStrictEqual(issuesOf(WallClock.Timestamp, text), [" invalid"], text)
  })

  it("with an offset is that instant, in any time zone", () => {
    for (const zone of zones) {
      assert.strictEqual(read("2026-11-20T09:30:00Z", zone), "2026-11-20T09:30:00Z")
      assert.strictEqual(read("2026-11-20t09:30:00.999z", zone), "2026-11-20T09:30:00Z")
      assert.strictEqual(read("2026-11-20 09:30:00+14:00", zone), "2026-11-19T19:30:00Z")
      assert.strictEqual(read("2026-11-20T09:30-05:30", zone), "2026-11-20T15:00:00Z")
    }
  })

  it("without an offset is a local time of the business", () => {
    assert.strictEqual(read("2026-11-20T09:30:00", "Europe/Zurich"), "2026-11-20T08:30:00Z")
    assert.strictEqual(read("2026-07-20 09:30", "Europe/Zurich"), "2026-07-20T07:30:00Z")
    assert.strictEqual(read("2026-11-20T09:30:00.500", "America/New_York"), "2026-11-20T14:30:00Z")
    assert.strictEqual(read("2026-11-20T09:30:00", "Asia/Kathmandu"), "2026-11-20T03:45:00Z")
  })
})

describe("clock changes", () => {
  const cases = [
    // Local times that the clock skips.
    ["2026-03-29 02:30:00", "Europe/Zurich", "2026-03-29T01:30:00Z", "2026-03-29 03:30:00"],
    ["2026-03-08 02:30:00", "America/New_York", "2026-03-08T07:30:00Z", "2026-03-08 03:30:00"],
    ["2026-10-04 02:15:00", "Australia/Lord_Howe", "2026-10-03T15:45:00Z", "2026-10-04 02:45:00"],
    ["2018-11-04 00:30:00", "America/Sao_Paulo", "2018-11-04T03:30:00Z", "2018-11-04 01:30:00"],
    // Local times that the clock repeats.
    ["2026-10-25 02:30:00", "Europe/Zurich", "2026-10-25T01:30:00Z", "2026-10-25 02:30:00"],
    ["2026-11-01 01:30:00", "America/New_York", "2026-11-01T06:30:00Z", "2026-11-01 01:30:00"],
    ["2026-04-05 01:45:00", "Australia/Lord_Howe", "2026-04-04T15:15:00Z", "2026-04-05 01:45:00"]
  ] as const

  it.each(cases)("%s in %s is the later of the two instants", (local, zone, instant, shown) => {
    assert.strictEqual(read(local, zone), instant)
    assert.strictEqual(wallClock(instantOf(local, zone), zone), shown)
  })

  it("the minutes around a clock change are unambiguous", () => {
    assert.strictEqual(read("2026-03-29 01:59:59", "Europe/Zurich"), "2026-03-29T00:59:59Z")
    assert.strictEqual(read("2026-03-29 03:00:00", "Europe/Zurich"), "2026-03-29T01:00:00Z")
    assert.strictEqual(read("2026-10-25 01:59:59", "Europe/Zurich"), "2026-10-24T23:59:59Z")
    assert.strictEqual(read("2026-10-25 03:00:00", "Europe/Zurich"), "2026-10-25T02:00:00Z")
  })
})

describe("pickup_at", () => {
  it("is the local time of the business", () => {
    const instant = instantOf("2026-11-20T23:30:00Z", "UTC")
    const shown = Object.fromEntries(zones.map((zone) => [zone, wallClock(instant, zone)]))
    assert.deepStrictEqual(shown, {
      UTC: "2026-11-20 23:30:00",
      "Europe/Zurich": "2026-11-21 00:30:00",
      "America/New_York": "2026-11-20 18:30:00",
      "America/Sao_Paulo": "2026-11-20 20:30:00",
      "Asia/Kathmandu": "2026-11-21 05:15:00",
      "Africa/Cairo": "2026-11-21 01:30:00",
      "Australia/Lord_Howe": "2026-11-21 10:30:00",
      "Pacific/Kiritimati": "2026-11-21 13:30:00",
      "Pacific/Marquesas": "2026-11-20 14:00:00"
    })
  })

  const Seconds = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4_000_000_000 }))
  const localTime = new Map(
    zones.map((timeZone) => [
      timeZone,
      new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" })
    ])
  )

  it.prop(
    "is the local time of the platform's zone database, also from the cache",
    [Seconds, Schema.Literals(zones)],
    ([seconds, zone]) => {
      const shown = localTime.get(zone)?.format(seconds * 1000)
      assert.strictEqual(wallClock(DateTime.makeUnsafe(seconds * 1000), zone), shown)
    },
    { arbitrary: { runs: 300 } }
  )

  it("changes in the minute in which the clock changes, also within an hour of UTC", () => {
    const changes = [
      ["Europe/Zurich", "2026-03-29T01:00:00Z"],
      ["Europe/Zurich", "2026-10-25T01:00:00Z"],
      ["Australia/Lord_Howe", "2026-04-04T15:00:00Z"],
      ["Australia/Lord_Howe", "2026-10-03T15:30:00Z"]
    ] as const
    for (const [zone, change] of changes)
      for (let minute = -90; minute <= 90; minute++) {
        const instant = DateTime.add(DateTime.makeUnsafe(change), { minutes: minute })
        assert.strictEqual(
          wallClock(instant, zone),
          localTime.get(zone)?.format(instant.epochMilliseconds),
          `${zone}, ${minute} minutes from ${change}`
        )
      }
  })

  it.prop(
    "of RFC 3339 in UTC is that of the platform, cut to the second",
    [Schema.Int.check(Schema.isBetween({ minimum: -1_000_000_000, maximum: 32_000_000_000_000 }))],
    ([millis]) => {
      assert.strictEqual(
        rfc3339(DateTime.makeUnsafe(millis)),
        `${new Date(millis).toISOString().slice(0, 19)}Z`
      )
    },
    { arbitrary: { runs: 300 } }
  )
  it.prop(
    "read back gives the same instant, or the later one that shows the same clock",
    [Seconds, Schema.Literals(zones)],
    ([seconds, zone]) => {
      const instant = DateTime.makeUnsafe(seconds * 1000)
      const shown = wallClock(instant, zone)
      const again = instantOf(shown, zone)
      assert.strictEqual(wallClock(again, zone), shown)
      const ambiguous = [30, 60].some(
        (minutes) => wallClock(DateTime.add(instant, { minutes }), zone) === shown
      )
      if (!ambiguous) assert.strictEqual(rfc3339(again), rfc3339(instant))
      else assert.isAbove(again.epochMilliseconds, instant.epochMilliseconds)
    },
    { arbitrary: { runs: 300 } }
  )
})

describe("a calendar day", () => {
  it("has the form YYYY-MM-DD and exists", () => {
    for (const day of ["2026-11-20", "2028-02-29", "1970-01-01"])
      assert.deepStrictEqual(issuesOf(WallClock.CalendarDay, day), [])
    for (const day of [
      "2026-02-29",
      "2026-11-31",
      "2026-1-1",
      "20261120",
      "2026-11-20T00:00:00Z",
      "",
      "1969-12-31"
    ])
      assert.deepStrictEqual(issuesOf(WallClock.CalendarDay, day), [" invalid"], day)
  })

  it("lasts 23, 24 or 25 hours on the business's clock", () => {
    assert.deepStrictEqual(
      [startOfDay, endOfDay].map((edge) => rfc3339(edge("2026-11-20", "Europe/Zurich"))),
      ["2026-11-19T23:00:00Z", "2026-11-20T23:00:00Z"]
    )
    assert.strictEqual(hours("2026-11-20", "Europe/Zurich"), 24)
    assert.strictEqual(hours("2026-03-29", "Europe/Zurich"), 23)
    assert.strictEqual(hours("2026-10-25", "Europe/Zurich"), 25)
    assert.strictEqual(hours("2026-03-08", "America/New_York"), 23)
    assert.strictEqual(hours("2026-11-01", "America/New_York"), 25)
    assert.strictEqual(hours("2026-10-04", "Australia/Lord_Howe"), 23.5)
    assert.strictEqual(hours("2026-12-31", "UTC"), 24)
  })

  it("starts at 01:00 if midnight is skipped, and at the first midnight if there are two", () => {
    const starts = (day: string, zone: string) => {
      const start = startOfDay(day, zone)
      return [rfc3339(start), wallClock(start, zone), hours(day, zone)]
    }
    assert.deepStrictEqual(starts("2018-11-04", "America/Sao_Paulo"), [
      "2018-11-04T03:00:00Z",
      "2018-11-04 01:00:00",
      23
    ])
    assert.deepStrictEqual(starts("2024-04-26", "Africa/Cairo"), [
      "2024-04-25T22:00:00Z",
      "2024-04-26 01:00:00",
      23
    ])
    assert.deepStrictEqual(starts("2026-11-01", "America/Havana"), [
      "2026-11-01T04:00:00Z",
      "2026-11-01 00:00:00",
      25
    ])
    // Samoa skipped the day altogether.
    assert.strictEqual(hours("2011-12-30", "Pacific/Apia"), 0)
  })

  it("of the year 9999 ends within the year 9999", () => {
    for (const zone of zones) {
      assert.isTrue(DateTime.isLessThan(startOfDay("9999-12-31", zone), endOfDay("9999-12-31", zone)), zone)
      assert.match(DateTime.formatIso(endOfDay("9999-12-31", zone)), /^9999-12-31T/u, zone)
    }
  })

  const Day = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30_000 }))
  it.prop(
    "its first instant has its date, and the moment before does not",
    [Day, Schema.Literals(zones)],
    ([number, zone]) => {
      const day = DateTime.formatIsoDateUtc(DateTime.makeUnsafe(number * 86_400_000))
      const start = startOfDay(day, zone)
      const before = wallClock(DateTime.subtract(start, { seconds: 1 }), zone).slice(0, 10)
      // Kiritimati never had this day.
      if (!(zone === "Pacific/Kiritimati" && day === "1994-12-31"))
        assert.strictEqual(wallClock(start, zone).slice(0, 10), day)
      assert.notStrictEqual(before, day)
    },
    { arbitrary: { runs: 200 } }
  )
})

it("a time zone is an IANA name that the platform knows", () => {
  for (const zone of zones) assert.deepStrictEqual(issuesOf(WallClock.TimeZone, zone), [])
  for (const zone of ["", "Mars/Olympus", "+02:00", "Europe/Zürich", "Europe/Zurich\u0000"])
    assert.deepStrictEqual(issuesOf(WallClock.TimeZone, zone), [" unknown_value"], zone)
})
