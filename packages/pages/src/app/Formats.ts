/** Money and times of the business: in its currency, and on its clock. */
import { format, locale } from "../i18n/Language.ts"
import { member } from "./Member.ts"

/** The time zone of the business. */
const zone = (): string => member.value?.business?.timezone ?? "UTC"

/** The currency of the business. */
export const currency = (): string => member.value?.business?.currency ?? "EUR"

/** An amount, in the currency of the business if none is given; nothing for no amount. */
export const money = (amount: number | null | undefined, of: string = currency()): string =>
  amount === null || amount === undefined ? "" : format.money(amount, of)

const formats = new Map<string, Intl.DateTimeFormat>()

const inZone = (name: string, options: Intl.DateTimeFormatOptions) => {
  const key = `${name} ${zone()}`
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, { timeZone: zone(), ...options })
  formats.set(key, known)
  return known
}

/** The time of an instant on the clock of the business: `09:30`. */
export const timeOf = (instant: number | string): string =>
  inZone("time", { timeStyle: "short" }).format(new Date(instant))

/** The day of an instant on the calendar of the business: `Mon 20 Dec`. */
export const dayOf = (instant: number | string): string =>
  inZone("day", { weekday: "short", day: "numeric", month: "short" }).format(new Date(instant))

/** Day and time of an instant: `20/12/2026, 09:30`. */
export const momentOf = (instant: number | string): string =>
  inZone("moment", { dateStyle: "short", timeStyle: "short" }).format(new Date(instant))

/** A day of the calendar (`2026-12-20`) for a list, where days are compared: `20 Dec 2026`. */
export const dateText = (date: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone: "UTC", dateStyle: "medium" }).format(new Date(date))

/** The date of an instant on the calendar of the business: `2026-12-20`. */
export const dateOf = (instant: number | string, timeZone = zone()): string =>
  // Swedish writes dates as ISO 8601 does.
  new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short" }).format(new Date(instant))

/** The date some days after another one. */
export const daysAfter = (date: string, days: number): string => {
  const day = new Date(`${date}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() + days)
  return day.toISOString().slice(0, 10)
}

/** The offset of a zone from UTC at an instant, in milliseconds. */
const offsetAt = (instant: number, timeZone: string) => {
  const local = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "medium" }).format(
    instant
  )
  return Date.parse(`${local.replace(" ", "T")}Z`) - Math.floor(instant / 1000) * 1000
}

/** The instant of a local time of the business (`2026-12-20T09:30`), in milliseconds. */
export const instantOf = (local: string, timeZone = zone()): number => {
  const asUtc = Date.parse(local.length === 10 ? `${local}T00:00Z` : `${local}Z`)
  const guess = asUtc - offsetAt(asUtc, timeZone)
  return asUtc - offsetAt(guess, timeZone)
}

/** The local time of the business at an instant, as an input for dates and times has it: `2026-12-20T09:30`. */
export const localOf = (instant: number | string, timeZone = zone()): string => {
  const at = new Date(instant).getTime()
  return new Date(at + offsetAt(at, timeZone)).toISOString().slice(0, 16)
}
