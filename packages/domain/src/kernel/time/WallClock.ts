/**
 * Wall clocks: what a business's day looks like on its own clock, and which instant a local time means.
 */
import { DateTime, Option, Schema, SchemaTransformation } from "effect"
import { check } from "../fields/FieldIssue.ts"
import { trimming } from "../fields/Text.ts"

const calendar = (year: number, month: number, day: number) => {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

const timestamp =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:[Zz]|[+-](\d{2}):?(\d{2}))?$/u

const isTimestamp = (text: string) => {
  const match = timestamp.exec(text.trim())
  if (match === null) return false
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, offsetHour = 0, offsetMinute = 0] =
    match.slice(1).map((digits) => Number(digits ?? 0))
  return (
    year >= 1970 &&
    year < 3000 &&
    calendar(year, month, day) &&
    hour < 24 &&
    minute < 60 &&
    second < 60 &&
    offsetHour <= 14 &&
    offsetMinute < 60
  )
}

/**
 * A point in time as callers write it: RFC 3339, the offset optional. Without one it is a local time, and
 * {@link instantOf} reads it on the business's clock.
 */
export const Timestamp = Schema.String.check(
  check<string>("required", (text) => text.trim() !== "", { minLength: 1 }),
  check<string>("invalid", (text) => text.trim() === "" || isTimestamp(text), { format: "date-time" })
)

/** A {@link Timestamp} that may be left out: a blank one is not one that is missing, but none at all. */
export const OptionalTimestamp = Schema.String.check(
  check<string>("invalid", isTimestamp, { format: "date-time" })
)

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
 * A time zone's name as its database writes it. Platforms disagree about which of its names is the first one, so a
 * name that was chosen with care stays as it is.
 */
const written = (typed: string) => {
  const name = typed.trim()
  const id = Option.match(zoneOf(name), { onNone: () => name, onSome: ({ id }) => id })
  return id.toLowerCase() === name.toLowerCase() || name === name.toLowerCase() ? id : name
}

/** An IANA time zone that this platform knows, for example `Europe/Zurich`; decoded from any case. */
export const TimeZone = Schema.String.check(
  check<string>("unknown_value", (name) => Option.isSome(zoneOf(name)))
).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform<string, string>({ decode: written, encode: (name) => name })
  )
)

const local = (text: string, timeZone: string) =>
  DateTime.makeZoned(text, { timeZone, adjustForTimeZone: true, disambiguation: "later" })

const parsed = (instant: Option.Option<DateTime.DateTime>, text: string): DateTime.Utc => {
  if (Option.isSome(instant)) return DateTime.toUtc(instant.value)
  throw new TypeError(`Not a timestamp: ${text}`)
}

/**
 * The instant of a {@link Timestamp}, to the second. Without an offset it is read in `timeZone`; a local time that a
 * clock change skips or repeats means the later of the two instants it could be, and is never refused.
 */
export const instantOf = (timestampText: string, timeZone: string): DateTime.Utc => {
  const text = timestampText.trim().toUpperCase().replace(" ", "T")
  const hasOffset = /(?:Z|[+-]\d{2}:?\d{2})$/u.test(text.slice(10))
  const instant = parsed(hasOffset ? DateTime.make(text) : local(`${text}Z`, timeZone), text)
  return DateTime.makeUnsafe(Math.floor(instant.epochMilliseconds / 1000) * 1000)
}

/** The first instant of a {@link CalendarDay} on the clock of `timeZone`. */
export const startOfDay = (day: string, timeZone: string): DateTime.Utc =>
  parsed(
    DateTime.makeZoned(`${day}T00:00:00Z`, {
      timeZone,
      adjustForTimeZone: true,
      disambiguation: "compatible"
    }),
    day
  )

/** The last instant of the years that RFC 3339 can write. Who asks for days up to 9999-12-31 means no end at all. */
const endOfTime = DateTime.makeUnsafe("9999-12-31T23:59:59.999Z")

/** The first instant after a {@link CalendarDay} on the clock of `timeZone`, within the years of RFC 3339. */
export const endOfDay = (day: string, timeZone: string): DateTime.Utc => {
  const next = DateTime.add(DateTime.makeUnsafe(`${day}T00:00:00Z`), { days: 1 })
  return DateTime.min(startOfDay(DateTime.formatIsoDateUtc(next), timeZone), endOfTime)
}

/** An instant on the clock of `timeZone`, as `YYYY-MM-DD HH:MM:SS` (specification, Trip: `pickup_at`). */
export const wallClock = (instant: DateTime.Utc, timeZone: string): string => {
  const zoned = DateTime.makeZonedUnsafe(instant, { timeZone })
  return DateTime.formatIso(DateTime.makeUnsafe(DateTime.toEpochMillis(zoned) + DateTime.zonedOffset(zoned)))
    .slice(0, 19)
    .replace("T", " ")
}

/** An instant as RFC 3339 in UTC to the second: `2026-11-20T09:30:00Z`. */
export const rfc3339 = (instant: DateTime.Utc): string => `${DateTime.formatIso(instant).slice(0, 19)}Z`
