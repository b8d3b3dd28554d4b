/** Days that repeat by a rule as in calendars (RFC 5545): a part of `RRULE`, at one time of day on the clock of a zone. */
import { DateTime, Option } from "effect"
import { millisADay } from "../../kernel/time/Day.ts"
import { instantOf } from "../../kernel/time/WallClock.ts"

/** The days of the week as rules name them, Monday first. */
const weekdayNames = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

/** A day of the week; with `nth`, the first, the second, … or, below zero, the last one of a month. */
interface RuleWeekday {
  readonly weekday: number
  readonly nth: number | undefined
}

/**
 * A rule. `count` includes the first day. `until` is a day, or the last moment: on the clock of the zone, or with a `Z` in UTC, as
 * calendars write it.
 */
export interface Recurrence {
  readonly frequency: "DAILY" | "WEEKLY" | "MONTHLY"
  readonly interval: number
  readonly weekdays: ReadonlyArray<RuleWeekday>
  readonly monthDays: ReadonlyArray<number>
  readonly count: number
  readonly until: string | undefined
}

const wholeNumber = (text: string, least: number, most: number): number | undefined => {
  const value = /^[+-]?\d{1,3}$/u.test(text) ? Number(text) : NaN
  return value !== 0 && value >= least && value <= most ? value : undefined
}

const weekdayOf = (text: string): RuleWeekday | undefined => {
  const [, nth, name = ""] = /^([+-]?[1-5])?([A-Z]{2})$/u.exec(text) ?? []
  const weekday = weekdayNames.indexOf(name)
  return weekday === -1 ? undefined : { weekday, nth: nth === undefined ? undefined : Number(nth) }
}

const listOf = <A>(text: string | undefined, read: (item: string) => A | undefined) =>
  text === undefined ? [] : text.split(",").map(read)

/** The items of a list; undefined if one was not read. */
const allRead = <A>(items: ReadonlyArray<A | undefined>): ReadonlyArray<A> | undefined => {
  const read = items.filter((item): item is A => item !== undefined)
  return read.length === items.length ? read : undefined
}

/** The text of `UNTIL` as a day or a timestamp; undefined if it is neither. */
const untilOf = (text: string): string | undefined => {
  const [, year, month, day, hours, minutes, seconds, zone] =
    /^(\d{4})(\d{2})(\d{2})(?:T([01]\d|2[0-3])([0-5]\d)([0-5]\d)(Z?))?$/u.exec(text) ?? []
  if (year === undefined) return undefined
  const date = `${year}-${month}-${day}`
  const at = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(date)) return undefined
  return hours === undefined ? date : `${date}T${hours}:${minutes}:${seconds}${zone}`
}

const known = new Set(["FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "COUNT", "UNTIL", "WKST"])
const frequencies = ["DAILY", "WEEKLY", "MONTHLY"] as const

/**
 * The rule of a text such as `FREQ=WEEKLY;BYDAY=MO,TH`; `None` if it is wrong or has a part that is not known here. Known are
 * `FREQ` (`DAILY`, `WEEKLY` or `MONTHLY`), `INTERVAL`, `BYDAY`, `BYMONTHDAY`, `COUNT`, `UNTIL` and `WKST=MO`.
 */
export const recurrenceOf = (text: string): Option.Option<Recurrence> => {
  const pairs = text
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/u, "")
    .split(";")
    .map((part) => part.split("="))
  const parts = new Map(pairs.map(([name = "", value = ""]) => [name, value]))
  const frequency = frequencies.find((one) => one === parts.get("FREQ"))
  const interval = wholeNumber(parts.get("INTERVAL") ?? "1", 1, 366)
  const count = wholeNumber(parts.get("COUNT") ?? "999", 1, 999)
  const weekdays = allRead(listOf(parts.get("BYDAY"), weekdayOf))
  const monthDays = allRead(listOf(parts.get("BYMONTHDAY"), (item) => wholeNumber(item, -31, 31)))
  const until = untilOf(parts.get("UNTIL") ?? "")
  const isRefused =
    pairs.some((pair) => pair.length !== 2) ||
    parts.size !== pairs.length ||
    [...parts.keys()].some((name) => !known.has(name)) ||
    (parts.get("WKST") ?? "MO") !== "MO" ||
    (parts.has("UNTIL") && until === undefined)
  if (isRefused || frequency === undefined || interval === undefined || count === undefined)
    return Option.none()
  if (weekdays === undefined || monthDays === undefined) return Option.none()
  if (weekdays.some(({ nth }) => nth !== undefined && frequency !== "MONTHLY")) return Option.none()
  return Option.some({ frequency, interval, weekdays, monthDays, count, until })
}

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`)
const mondayFirst = (date: Date) => (date.getUTCDay() + 6) % 7

/** Whether a day is the first, the second, … or the last weekday of its kind in its month. */
const isNth = (date: Date, nth: number) => {
  const day = date.getUTCDate()
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  return nth > 0 ? Math.ceil(day / 7) === nth : Math.ceil((length - day + 1) / 7) === -nth
}

const isOnRule = (
  { frequency, interval, monthDays, weekdays }: Recurrence,
  first: Date,
  date: Date
): boolean => {
  const days = (date.getTime() - first.getTime()) / millisADay
  const months =
    (date.getUTCFullYear() - first.getUTCFullYear()) * 12 + date.getUTCMonth() - first.getUTCMonth()
  const weeks = Math.floor((days + mondayFirst(first)) / 7)
  const elapsed = { DAILY: days, WEEKLY: weeks, MONTHLY: months }[frequency]
  if (elapsed % interval !== 0) return false
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  const isMonthDay = monthDays.some(
    (wanted) => date.getUTCDate() === (wanted > 0 ? wanted : length + 1 + wanted)
  )
  const isWeekday = weekdays.some(
    ({ nth, weekday }) => weekday === mondayFirst(date) && (nth === undefined || isNth(date, nth))
  )
  if (monthDays.length > 0 && !isMonthDay) return false
  if (weekdays.length > 0) return isWeekday
  if (monthDays.length > 0 || frequency === "DAILY") return true
  return frequency === "WEEKLY"
    ? mondayFirst(date) === mondayFirst(first)
    : date.getUTCDate() === first.getUTCDate()
}

/** The first day of a rule, and the time on the clock of a zone at which each day repeats it. */
export interface RuleStart {
  readonly day: string
  readonly time: string
  readonly zone: string
}

/**
 * The days after the first one, up to and with the day `until`, on which the rule repeats it. A month without such a day is left
 * out. A day whose clock skips the time is not, as elsewhere in the API: its trip is later by the time that was skipped.
 */
export const repeatedDays = (
  rule: Recurrence,
  { day: first, time, zone }: RuleStart,
  until: string
): ReadonlyArray<string> => {
  const isOver = (day: string): boolean => {
    if (day > until || rule.until === undefined) return day > until
    if (!rule.until.includes("T")) return day > rule.until
    return DateTime.isGreaterThan(instantOf(`${day}T${time}`, zone), instantOf(rule.until, zone))
  }
  const start = dateOf(first)
  const days: Array<string> = []
  for (let date = new Date(start.getTime() + millisADay); ; date = new Date(date.getTime() + millisADay)) {
    const day = date.toISOString().slice(0, 10)
    if (days.length + 1 >= rule.count || isOver(day)) return days
    if (isOnRule(rule, start, date)) days.push(day)
  }
}
