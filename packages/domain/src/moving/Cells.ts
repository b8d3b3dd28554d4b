/** Reading the cells of a line as the values of a request. */
import { type CellType, fieldsOf, type ImportKind } from "./ImportKind.ts"
import type { Column } from "./Mapping.ts"

/** How days are written in a table: `3/4/2026` is the third of April if `dayFirst`. */
export interface CellStyle {
  readonly dayFirst: boolean
}

const two = (text: string) => text.padStart(2, "0")

const year = (text: string) => (text.length === 2 ? `20${text}` : text)

/** A day in the form of ISO 8601; the text itself if it is no day. */
const dayOf = (text: string, { dayFirst }: CellStyle): string => {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/u.exec(text)
  if (iso !== null) return `${iso[1]}-${two(iso[2] ?? "")}-${two(iso[3] ?? "")}`
  const parts = /^(\d{1,2})([./-])\s?(\d{1,2})[./-]\s?(\d{4}|\d{2})$/u.exec(text)
  if (parts === null) return text
  const [, one = "", sign, other = "", last = ""] = parts
  const isDayFirst = sign === "." || dayFirst
  return `${year(last)}-${two(isDayFirst ? other : one)}-${two(isDayFirst ? one : other)}`
}

/** A time of day as `18:30`; the text itself if it is no time. */
const clockOf = (text: string): string => {
  const parts = /^(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2}(?:\.\d+)?)?\s*(?:([ap])\.?m\.?|Uhr)?$/iu.exec(text)
  if (parts === null) return text
  const [, hours = "", minutes = "00", half] = parts
  const hour =
    half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === "p" ? 12 : 0)
  return `${two(String(hour))}:${minutes}`
}

/** A day with a time; a day alone begins at midnight. An instant with an offset stays as it is. */
const momentOf = (text: string, style: CellStyle): string => {
  if (/(?:Z|[+-]\d{2}:?\d{2})$/u.test(text) && text.includes(":")) return text
  const [, day = "", clock] = /^(\S+(?:\s\d{2,4})?)(?:[T\s,]+(.+))?$/u.exec(text.replace("T", " ")) ?? []
  return `${dayOf(day, style)}T${clock === undefined ? "00:00" : clockOf(clock)}`
}

/** A number with a decimal point or comma, with or without marks between the thousands and a currency; else the text. */
const numberOf = (text: string): number | string => {
  const plain = text.replaceAll(/[\s\u00a0\u202f'’]|[A-Z]{3}|[$€£]/gu, "")
  if (!/^[-+]?\d[\d.,]*$/u.test(plain)) return text
  const last = Math.max(plain.lastIndexOf("."), plain.lastIndexOf(","))
  const marks = plain.replaceAll(/[^.,]/gu, "")
  // A single mark before three digits is between thousands, as in 1,234 and 1.234; but 0.125 is less than one.
  const isThousands = /^[-+]?[1-9]\d{0,2}[.,]\d{3}$/u.test(plain)
  const isDecimal = last >= 0 && (new Set(marks).size > 1 || (marks.length === 1 && !isThousands))
  const whole = (isDecimal ? plain.slice(0, last) : plain).replaceAll(/[.,]/gu, "")
  const value = Number(isDecimal ? `${whole}.${plain.slice(last + 1)}` : whole)
  return Number.isFinite(value) ? value : text
}

const yes = new Set(["yes", "y", "true", "1", "x", "active", "ja", "j", "wahr", "aktiv"])
const no = new Set(["no", "n", "false", "0", "inactive", "nein", "falsch", "inaktiv"])

const yesOf = (text: string): boolean | string => {
  const word = text.toLowerCase()
  return yes.has(word) ? true : no.has(word) ? false : text
}

/** The words of other programs and languages for the values that Livery has. */
const words: Readonly<Record<string, string>> = {
  limousine: "limousine",
  limo: "limousine",
  stretch_limo: "limousine",
  limousine_stretch: "limousine",
  business: "sedan",
  business_class: "sedan",
  executive_sedan: "sedan",
  luxury_sedan: "sedan",
  limousine_sedan: "sedan",
  luxury_suv: "suv",
  executive_suv: "suv",
  sprinter: "van",
  mini_bus: "minibus",
  kleinbus: "minibus",
  coach: "bus",
  motorcoach: "bus",
  bestatigt: "confirmed",
  offen: "confirmed",
  booked: "confirmed",
  assigned: "confirmed",
  unassigned: "confirmed",
  done: "completed",
  finished: "completed",
  erledigt: "completed",
  abgeschlossen: "completed",
  canceled: "cancelled",
  cancel: "cancelled",
  storniert: "cancelled",
  point_to_point: "transfer",
  one_way: "transfer",
  from_airport: "airport_arrival",
  to_airport: "airport_departure",
  airport_pickup: "airport_arrival",
  airport_dropoff: "airport_departure",
  as_directed: "hourly",
  hourly_as_directed: "hourly",
  stundenweise: "hourly"
}

const wordOf = (text: string): string => {
  const word = text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
    .replaceAll(/^_|_$/gu, "")
  return words[word] ?? word
}

const readers: Readonly<Record<CellType, (text: string, style: CellStyle) => unknown>> = {
  text: (text) => text,
  number: numberOf,
  yes: yesOf,
  day: dayOf,
  moment: momentOf,
  clock: clockOf,
  word: wordOf
}

/** The fields of a line that are not blank. */
export type Values = Readonly<Record<string, unknown>>

/** The values of a line. */
export const valuesOf = (
  kind: ImportKind,
  columns: ReadonlyArray<Column>,
  cells: ReadonlyArray<string>,
  style: CellStyle
): Values =>
  Object.fromEntries(
    columns.flatMap(({ field }, at) => {
      const type = field === null ? undefined : fieldsOf[kind][field]
      const cell = cells[at] ?? ""
      return field === null || type === undefined || cell === "" ? [] : [[field, readers[type](cell, style)]]
    })
  )

/**
 * Whether the days of a table begin with the day: a number above 12 stands first in one of them. Without such a day, a business in
 * America writes the month first.
 */
export const dayFirstOf = (
  kind: ImportKind,
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<{ readonly cells: ReadonlyArray<string> }>,
  timezone: string
): boolean => {
  const places = columns.flatMap(({ field }, at) => {
    const type = field === null ? undefined : fieldsOf[kind][field]
    return type === "day" || type === "moment" ? [at] : []
  })
  for (const { cells } of rows)
    for (const at of places) {
      const [, one, other] = /^(\d{1,2})[/-](\d{1,2})[/-]/u.exec(cells[at] ?? "") ?? []
      if (Number(one) > 12) return true
      if (Number(other) > 12) return false
    }
  return !timezone.startsWith("America/")
}
