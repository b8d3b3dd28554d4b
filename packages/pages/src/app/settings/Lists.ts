/** Settings that are lists, as texts that one can type: a line for each, and opening hours by day of the week. */
import type { Settings, Weekdays } from "@livery/client"
import { locale } from "../../i18n/Language.ts"
import { numberIn } from "../../i18n/Numbers.ts"
import { wrong } from "./Card.tsx"

type BookingPage = Settings["booking_page"]
type Hours = BookingPage["opening_hours"]

/** The lines of a text, without empty ones. */
export const linesOf = (text: unknown): ReadonlyArray<string> =>
  (typeof text === "string" ? text : "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

/** A number that was typed in the reader's language; a refusal at its field if it is none. */
export const numberAt = (field: string, text: string | undefined): number => {
  const number = numberIn(text ?? "", locale)
  if (Number.isNaN(number)) throw wrong(field)
  return number
}

/** `8.1 VAT` for each tax. */
export const taxesOf = (text: unknown, field: string) =>
  linesOf(text).map((line) => {
    const [rate = "", ...name] = line.split(/\s+/u)
    return { rate: numberAt(field, rate.replace("%", "")), name: name.join(" ") || null }
  })

/** `van 120` for each class with its own minutes. */
export const leadsOf = (text: unknown, field: string) =>
  linesOf(text).map((line) => {
    const [vehicle_class = "", minutes] = line.split(/\s+/u)
    return { vehicle_class, minutes: numberAt(field, minutes) }
  })

/** `2026-12-24` or `12-24 to 12-26` for each stretch of days. */
export const daysOf = (text: unknown) =>
  linesOf(text).map((line) => {
    const [from = "", to = null] = line.match(/[\d-]*\d/gu) ?? [line]
    return { from, to }
  })

export const daysText = (
  days: ReadonlyArray<{ readonly from: string; readonly to: string | null }>
): string => days.map(({ from, to }) => (to === null ? from : `${from} – ${to}`)).join("\n")

export const weekdays = [
  "mon",
  "tue",
  "wed",
  "thu",
  "fri",
  "sat",
  "sun"
] as const satisfies ReadonlyArray<Weekdays>

const wholeDay = "0–24"

const isWeekly = ({ dates }: Hours[number]) => dates.length === 0

/** The hours of a day of the week: `08:00–12:00, 13:00–18:00`. */
export const hoursText = (hours: Hours, day: Weekdays): string =>
  hours
    .filter((window) => isWeekly(window) && (window.weekdays.length === 0 || window.weekdays.includes(day)))
    .map(({ from, to }) => (from === null && to === null ? wholeDay : `${from ?? "00:00"}–${to ?? "00:00"}`))
    .join(", ")

const clock = (text: string, field: string) => {
  const [, hour = "", minute = "00"] = /^(\d{1,2})(?:[:.](\d{2}))?$/u.exec(text.trim()) ?? []
  if (hour === "") throw wrong(field)
  return `${hour.padStart(2, "0")}:${minute}`
}

/** The windows of a week, from the texts of its days. Windows of certain dates stay as they are. */
export const hoursOf = (texts: Readonly<Record<Weekdays, string>>, before: Hours): Hours => {
  const byWindow = new Map<string, Array<Weekdays>>()
  for (const day of weekdays)
    for (const text of texts[day].split(",").filter((part) => part.trim() !== "")) {
      const [from = "", to = ""] = text.split(/\s*[–-]\s*/u)
      const isWhole = /^\s*0{1,2}(:00)?\s*[–-]\s*24(:00)?\s*$/u.test(text)
      const window = isWhole ? "" : `${clock(from, `hours_${day}`)} ${clock(to, `hours_${day}`)}`
      byWindow.set(window, [...(byWindow.get(window) ?? []), day])
    }
  return [
    ...[...byWindow].map(([window, days]) => {
      const [from, to] = window.split(" ")
      return { from: from || null, to: to ?? null, weekdays: days, dates: [] }
    }),
    ...before.filter((window) => !isWeekly(window))
  ]
}
