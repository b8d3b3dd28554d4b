import { Option } from "effect"
import ICAL from "ical.js"
import { describe, expect, it } from "vitest"
import { recurrenceOf, repeatedDays } from "../../src/trips/groups/Recurrence.ts"

const daysOf = (rule: string, first: string, until: string) =>
  Option.match(recurrenceOf(rule), {
    onNone: () => undefined,
    onSome: (known) => repeatedDays(known, { day: first, time: "09:30:00", zone: "Europe/Berlin" }, until)
  })

/** The days after the first one as a calendar library finds them. */
const calendarDays = (rule: string, first: string, until: string) => {
  const iterator = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromDateString(first))
  const days: Array<string> = []
  for (let next = iterator.next(); next !== null && next !== undefined; next = iterator.next()) {
    const day = next.toString().slice(0, 10)
    if (day > until) break
    if (day !== first) days.push(day)
  }
  return days
}

// The first day of each case is on its rule, as calendars require.
describe("the days of a rule", () => {
  for (const [rule, first] of [
    ["FREQ=DAILY", "2026-02-27"],
    ["FREQ=DAILY;INTERVAL=3;COUNT=20", "2026-02-27"],
    ["FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "2026-03-02"],
    ["FREQ=WEEKLY", "2026-03-04"],
    ["FREQ=WEEKLY;BYDAY=MO,TH;COUNT=9", "2026-03-05"],
    ["FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO", "2026-03-08"],
    ["FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SA;UNTIL=20260601T000000Z", "2026-03-03"],
    ["FREQ=MONTHLY", "2026-01-31"],
    ["FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=-1,15", "2026-01-15"],
    ["FREQ=MONTHLY;BYDAY=1MO,-1FR", "2026-01-05"],
    ["FREQ=MONTHLY;BYDAY=FR", "2026-01-02"],
    ["RRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "2026-02-13"]
  ] as const)
    it(`of ${rule} are those that a calendar library finds`, () => {
      const until = "2026-12-31"
      expect(daysOf(rule, first, until)).toEqual(calendarDays(rule.replace("RRULE:", ""), first, until))
    })

  it("end at the moment of UNTIL: in UTC with a Z, on the clock of the pickup without one", () => {
    const days = (until: string) =>
      Option.match(recurrenceOf(`FREQ=DAILY;UNTIL=${until}`), {
        onNone: () => undefined,
        onSome: (rule) =>
          repeatedDays(rule, { day: "2026-01-28", time: "21:00:00", zone: "America/New_York" }, "2026-12-31")
      })
    // The end of 31 January in New York, as calendars write it.
    expect(days("20260201T045959Z")).toEqual(["2026-01-29", "2026-01-30", "2026-01-31"])
    expect(days("20260131T205959")).toEqual(["2026-01-29", "2026-01-30"])
    expect(days("20260131")).toEqual(["2026-01-29", "2026-01-30", "2026-01-31"])
    expect(days("20260231")).toBeUndefined()
  })

  it("are refused for a rule that is wrong or not known", () => {
    for (const rule of [
      "",
      "weekly",
      "FREQ=YEARLY",
      "FREQ=HOURLY",
      "FREQ=WEEKLY;BYDAY=XX",
      "FREQ=WEEKLY;BYDAY=1MO",
      "FREQ=WEEKLY;INTERVAL=0",
      "FREQ=DAILY;COUNT=0",
      "FREQ=DAILY;UNTIL=soon",
      "FREQ=DAILY;FREQ=DAILY",
      "FREQ=WEEKLY;WKST=SU",
      "FREQ=MONTHLY;BYSETPOS=1",
      "FREQ=MONTHLY;BYMONTHDAY=32"
    ])
      expect([rule, Option.isNone(recurrenceOf(rule))]).toEqual([rule, true])
  })
})
