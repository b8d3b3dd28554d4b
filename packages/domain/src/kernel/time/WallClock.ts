/** Local times: the instant of a local time, and an instant on the clock of a business's time zone. */
import { DateTime, Option, Schema, SchemaTransformation } from "effect"
import { check } from "../fields/FieldIssue.ts"
import { trimming } from "../fields/Text.ts"
import { timestampText } from "./TimestampText.ts"
import { zoneOffset } from "./ZoneOffset.ts"

const calendar = (year: number, month: number, day: number) => {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

const timestamp =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:[Zz]|([+-])(\d{2}):?(\d{2}))?$/u

/** The first instant that a timestamp can express, and the first one after the last. */
const [firstInstant, endOfInstants] = [Date.UTC(1970, 0, 1), Date.UTC(3000, 0, 1)]

/** Whether a timestamp can express the instant: it is in the years 1970 to 2999. */
export const isExpressible = ({ epochMilliseconds }: Pick<DateTime.Utc, "epochMilliseconds">): boolean =>
  epochMilliseconds >= firstInstant && epochMilliseconds < endOfInstants

const minuteMillis = 60_000

/** The largest distance of a clock from UTC. */
const maxOffsetMinutes = 14 * 60

/**
 * The smallest and the largest offset from UTC that a timestamp may have, in minutes. One without an offset is read in
 * a time zone that is not known yet.
 */
const offsetsOf = (text: string, sign: string | undefined, hours: number, minutes: number) => {
  if (sign === undefined) return /[Zz]$/u.test(text) ? [0, 0] : [-maxOffsetMinutes, maxOffsetMinutes]
  const offset = (sign === "-" ? -1 : 1) * (hours * 60 + minutes)
  return [offset, offset]
}

const isTimestamp = (typed: string) => {
  const text = typed.trim()
  const match = timestamp.exec(text)
  if (match === null) return false
  const numberAt = (group: number) => Number(match[group] ?? 0)
  const [year, month, day] = [numberAt(1), numberAt(2), numberAt(3)]
  const [hour, minute, second] = [numberAt(4), numberAt(5), numberAt(6)]
  const [offsetHour, offsetMinute] = [numberAt(8), numberAt(9)]
  if (!calendar(year, month, day) || hour > 23 || minute > 59 || second > 59) return false
  if (offsetHour > 14 || offsetMinute > 59) return false
  // The instant is judged, not the year of the text, because the instant is what is stored and read again.
  const onTheClock = Date.UTC(year, month - 1, day, hour, minute, second)
  return offsetsOf(text, match[7], offsetHour, offsetMinute).every((offset) =>
    isExpressible({ epochMilliseconds: onTheClock - offset * minuteMillis })
  )
}

/** The formats of a timestamp, for OpenAPI: an instant, or a local time on the business's clock. */
const formats = {
  description:
    "RFC 3339: `2026-12-24T18:00:00Z` or `2026-12-24T19:00:00+01:00`. Without an offset (`2026-12-24T19:00`), a local " +
    "time on the business's clock. Seconds may be left out, and a space may stand for the `T`.",
  // Each choice has its type: generators of clients read a choice without one as any value.
  anyOf: [
    { type: "string", format: "date-time" },
    {
      type: "string",
      pattern: "^\\d{4}-\\d{2}-\\d{2}[Tt ]\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?([Zz]|[+-]\\d{2}:?\\d{2})?$"
    }
  ]
}

/**
 * A point in time as callers write it: RFC 3339 with an optional offset. {@link instantOf} reads a timestamp without an
 * offset as a local time.
 */
export const Timestamp = Schema.String.check(
  check<string>("required", (text) => text.trim() !== "", { minLength: 1 }),
  check<string>("invalid", (text) => text.trim() === "" || isTimestamp(text), formats)
)

/** A {@link Timestamp} for an optional field: a blank text is `invalid` rather than `required`. */
export const OptionalTimestamp = Schema.String.check(check<string>("invalid", isTimestamp, formats))

/** A calendar day, `YYYY-MM-DD`. */
export const CalendarDay = Schema.String.check(
  check<string>(
    "invalid",
    (text) => {
      const match = /^(\d{4})-(\d{2})-(\d{2})$/u.exec(text.trim())
      return (
        match !== null &&
        Number(match[1]) >= 1970 &&
        calendar(Number(match[1]), Number(match[2]), Number(match[3]))
      )
    },
    { format: "date" }
  )
).pipe(Schema.decodeTo(Schema.String, trimming))

const zoneOf = (typed: string) => {
  const name = typed.trim()
  return /^[A-Za-z]/u.test(name) ? DateTime.zoneMakeNamed(name) : Option.none()
}

/**
 * A time zone's name as the time zone database writes it. Platforms prefer different ones of a zone's names
 * (`Asia/Calcutta`, `Asia/Kolkata`), so that a name which was typed in mixed case is kept.
 */
const canonicalName = (typed: string) => {
  const name = typed.trim()
  const id = Option.match(zoneOf(name), { onNone: () => name, onSome: ({ id }) => id })
  return id.toLowerCase() === name.toLowerCase() || name === name.toLowerCase() ? id : name
}

/** The name of an IANA time zone that this platform knows, for example `Europe/Zurich`; decoded from any case. */
export const TimeZone = Schema.String.check(
  check<string>(
    "unknown_value",
    (name) => Option.isSome(zoneOf(name)),
    {},
    "names of IANA time zones such as Europe/Zurich"
  )
).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform<string, string>({ decode: canonicalName, encode: (name) => name })
  )
)

const local = (text: string, timeZone: string) =>
  DateTime.makeZoned(text, { timeZone, adjustForTimeZone: true, disambiguation: "later" })

const parsed = (instant: Option.Option<DateTime.DateTime>, text: string): DateTime.Utc => {
  if (Option.isSome(instant)) return DateTime.toUtc(instant.value)
  throw new TypeError(`Not a timestamp: ${text}`)
}

/**
 * The instant of a {@link Timestamp}, to the second. A timestamp without an offset is read in `timeZone`. A local time
 * that a clock change skips or repeats has two possible instants; the later one is used.
 */
export const instantOf = (timestampText: string, timeZone: string): DateTime.Utc => {
  const text = timestampText.trim().toUpperCase().replace(" ", "T")
  const hasOffset = /(?:Z|[+-]\d{2}:?\d{2})$/u.test(text.slice(10))
  const instant = parsed(hasOffset ? DateTime.make(text) : local(`${text}Z`, timeZone), text)
  return DateTime.makeUnsafe(Math.floor(instant.epochMilliseconds / 1000) * 1000)
}

/** The first instant of a {@link CalendarDay} in `timeZone`. */
export const startOfDay = (day: string, timeZone: string): DateTime.Utc =>
  parsed(
    DateTime.makeZoned(`${day}T00:00:00Z`, {
      timeZone,
      adjustForTimeZone: true,
      disambiguation: "compatible"
    }),
    day
  )

/** The last instant that RFC 3339 can express. A range up to 9999-12-31 is a range without an end. */
const endOfTime = DateTime.makeUnsafe("9999-12-31T23:59:59.999Z")

/** The first instant after a {@link CalendarDay} in `timeZone`, at most the last one that RFC 3339 can express. */
export const endOfDay = (day: string, timeZone: string): DateTime.Utc => {
  const next = DateTime.add(DateTime.makeUnsafe(`${day}T00:00:00Z`), { days: 1 })
  return DateTime.min(startOfDay(DateTime.formatIsoDateUtc(next), timeZone), endOfTime)
}

/** An instant as a local time in `timeZone`: `YYYY-MM-DD HH:MM:SS`. */
export const wallClock = ({ epochMilliseconds }: DateTime.Utc, timeZone: string): string =>
  timestampText(epochMilliseconds + zoneOffset(epochMilliseconds, timeZone), " ")

/** The day of an instant in `timeZone`: `YYYY-MM-DD`. */
export const localDay = (instant: DateTime.Utc, timeZone: string): string =>
  wallClock(instant, timeZone).slice(0, 10)

/** An instant as RFC 3339 in UTC to the second: `2026-11-20T09:30:00Z`. */
export const rfc3339 = ({ epochMilliseconds }: DateTime.Utc): string =>
  `${timestampText(epochMilliseconds, "T")}Z`

/** {@link rfc3339} of an instant; null without one. */
export const rfc3339OrNull = (instant: DateTime.Utc | null | undefined): string | null =>
  instant === null || instant === undefined ? null : rfc3339(instant)
