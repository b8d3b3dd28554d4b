import { DateTime, Option } from "effect"
import { RRuleTemporal } from "rrule-temporal"
import { Temporal } from "temporal-polyfill"
import { describe, expect, it } from "vitest"
import { instantOf } from "../../src/kernel/time/WallClock.ts"
import { recurrenceOf, repeatedDays } from "../../src/trips/groups/Recurrence.ts"

/** Random numbers below a bound, the same ones for the same seed (mulberry32). */
const randomOf = (seed: number) => {
  let state = seed
  return (bound: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound)
  }
}

type Random = ReturnType<typeof randomOf>

const pick = (random: Random, items: ReadonlyArray<string>): string => items[random(items.length)] ?? ""

const some = (random: Random, items: ReadonlyArray<string>): string =>
  [...new Set(Array.from({ length: 1 + random(3) }, () => pick(random, items)))].join(",")

const weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
const nths = ["", "", "1", "+2", "3", "4", "5", "-1", "-2", "-5"]
const monthDays = [...Array.from({ length: 31 }, (_, day) => day + 1), -1, -2, -15, -31].map(String)

/** Zones whose clocks change at 02:00, at midnight, by half an hour, in the south, and never. */
const zones = [
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "America/Santiago",
  "Africa/Cairo",
  "Asia/Beirut",
  "Pacific/Chatham",
  "Asia/Kolkata",
  "UTC"
]

const randomRule = (random: Random) => {
  const frequency = pick(random, ["DAILY", "WEEKLY", "MONTHLY"])
  const days = weekdays.map((day) => (frequency === "MONTHLY" ? `${pick(random, nths)}${day}` : day))
  const isWeekly = frequency === "WEEKLY"
  const end = pick(random, [
    "",
    "",
    `COUNT=${1 + random(40)}`,
    `UNTIL=2027${pick(random, ["0131", "0630", "1101"])}T${pick(random, ["000000", "120000", "235959"])}Z`
  ])
  return [
    `FREQ=${frequency}`,
    ...(random(2) === 0 ? [`INTERVAL=${1 + random(4)}`] : []),
    ...(random(2) === 0 ? [`BYDAY=${some(random, days)}`] : []),
    ...(!isWeekly && random(3) === 0 ? [`BYMONTHDAY=${some(random, monthDays)}`] : []),
    ...(end === "" ? [] : [end]),
    ...(random(4) === 0 ? ["WKST=MO"] : [])
  ].join(";")
}

const two = (number: number) => String(number).padStart(2, "0")

const lastDay = "2027-12-31"

/** What a calendar library finds from a local time on, the first one included, up to {@link lastDay}. */
const found = (rule: string, first: Temporal.ZonedDateTime) =>
  new RRuleTemporal({
    rruleString: `DTSTART;TZID=${first.timeZoneId}:${first.toPlainDateTime().toString({ smallestUnit: "second" }).replace(/[-:]/gu, "")}\nRRULE:${rule}`,
    temporal: Temporal
  }).between(
    first,
    Temporal.PlainDateTime.from(`${lastDay}T23:59:59`).toZonedDateTime(first.timeZoneId),
    true
  )

const cases = 300

describe("a random rule", () => {
  it(`has the days and the instants that a calendar library finds, for ${cases} rules in zones whose clocks change`, () => {
    let [compared, withGap] = [0, 0]
    for (let seed = 1; seed <= cases; seed++) {
      const random = randomOf(seed)
      const zone = pick(random, zones)
      const rule = randomRule(random)
      const time = `${two(random(24))}:${pick(random, ["00", "15", "30", "59"])}:00`
      const from = Temporal.PlainDateTime.from(`2026-${two(1 + random(12))}-${two(1 + random(28))}T${time}`)
      // The first day of a rule is on the rule, as calendars require.
      const [first] = found(rule, from.toZonedDateTime(zone))
      if (first === undefined || first.toPlainDate().year > 2026 || !first.toPlainTime().equals(time))
        continue
      const day = first.toPlainDate().toString()
      const days = repeatedDays(Option.getOrThrow(recurrenceOf(rule)), { day, time, zone }, lastDay)
      const wanted = days.map((one) => Temporal.PlainDateTime.from(`${one}T${time}`))
      // Livery takes the later instant of a local time that a clock change repeats or skips. The library takes the earlier one
      // of a repeated time, and leaves out, and does not count, a day that lacks the time.
      const at = wanted.map((one) => one.toZonedDateTime(zone, { disambiguation: "later" }))
      const gaps = at.filter((one, index) => !one.toPlainDateTime().equals(wanted[index] ?? "")).length
      const expected = found(rule, first).slice(1)
      const about = { seed, zone, rule, day, time }
      const withoutGaps = days.filter((_, index) => at[index]?.toPlainDateTime().equals(wanted[index] ?? ""))
      const counted = rule.includes("COUNT") ? expected.slice(0, expected.length - gaps) : expected
      expect({ ...about, days: withoutGaps }).toEqual({
        ...about,
        days: counted.map((one) => one.toPlainDate().toString())
      })
      expect({
        ...about,
        at: days.map((one) => DateTime.toEpochMillis(instantOf(`${one}T${time}`, zone)))
      }).toEqual({ ...about, at: at.map(({ epochMilliseconds }) => epochMilliseconds) })
      compared += 1
      if (gaps > 0) withGap += 1
    }
    expect(compared).toBeGreaterThan(cases / 2)
    expect(withGap).toBeGreaterThan(0)
  })
})
