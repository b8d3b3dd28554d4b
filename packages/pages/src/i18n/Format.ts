/** Numbers, money, times and ages in the reader's language. */

/** The functions that format values, for a locale. */
export interface Format {
  readonly money: (amount: number, currency: string) => string
  readonly number: (value: number) => string
  readonly percent: (value: number) => string
  /** A day of the calendar (`2026-11-20`), or of every year (`11-20`). */
  readonly day: (date: string) => string
  /** The name of a day of the week; 0 is Sunday. */
  readonly weekday: (index: number) => string
  /** An instant on the clock of a zone. */
  readonly time: (instant: string, zone: string) => string
  readonly dateTime: (instant: string, zone: string) => string
  /** `8 minutes` */
  readonly minutes: (count: number) => string
  /** Minutes in the largest unit that fits: `90 minutes`, `2 hours`, `1 day` */
  readonly duration: (minutes: number) => string
  /** `now`, `20 seconds ago`, `3 minutes ago` */
  readonly ago: (seconds: number) => string
  /** The short name of a zone at an instant: `CET`, `GMT+1`. */
  readonly zoneName: (instant: string, zone: string) => string
}

/** The reader's own time zone. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Whether two zones have the same time at an instant. */
export const isSameTime = (instant: string, zone: string, other: string): boolean => {
  const timeIn = (timeZone: string) =>
    new Date(instant).toLocaleString("en", { timeZone, dateStyle: "short", timeStyle: "short" })
  return timeIn(zone) === timeIn(other)
}

const isThisYear = (instant: string) => new Date(instant).getFullYear() === new Date().getFullYear()

/** The formats of a locale. */
export const formatOf = (locale: string): Format => {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" })
  const inZone = (timeZone: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options })
  const inUnits = (count: number, unit: string) =>
    new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(count)
  return {
    money: (amount, currency) =>
      new Intl.NumberFormat(locale, { style: "currency", currency }).format(amount),
    number: (value) => new Intl.NumberFormat(locale, { maximumFractionDigits: 3 }).format(value),
    percent: (value) =>
      new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 2 }).format(value / 100),
    day: (date) =>
      date.length === 5
        ? inZone("UTC", { day: "numeric", month: "long" }).format(new Date(`2000-${date}T00:00:00Z`))
        : inZone("UTC", { dateStyle: "long" }).format(new Date(`${date}T00:00:00Z`)),
    // 7 January 2024 was a Sunday.
    weekday: (index) => inZone("UTC", { weekday: "long" }).format(Date.UTC(2024, 0, 7 + index)),
    time: (instant, zone) => inZone(zone, { timeStyle: "short" }).format(new Date(instant)),
    dateTime: (instant, zone) =>
      inZone(zone, {
        weekday: "long",
        day: "numeric",
        month: "long",
        ...(isThisYear(instant) ? {} : { year: "numeric" as const }),
        hour: "numeric",
        minute: "2-digit"
      }).format(new Date(instant)),
    minutes: (count) => inUnits(count, "minute"),
    duration: (minutes) => {
      if (minutes % 1440 === 0) return inUnits(minutes / 1440, "day")
      return minutes % 60 === 0 ? inUnits(minutes / 60, "hour") : inUnits(minutes, "minute")
    },
    ago: (seconds) => {
      if (seconds < 60) return relative.format(-10 * Math.floor(seconds / 10), "second")
      if (seconds < 3600) return relative.format(-Math.floor(seconds / 60), "minute")
      return relative.format(-Math.floor(seconds / 3600), "hour")
    },
    zoneName: (instant, zone) =>
      inZone(zone, { timeZoneName: "short" })
        .formatToParts(new Date(instant))
        .find(({ type }) => type === "timeZoneName")?.value ?? zone
  }
}

/** A text with values in place of its names: `{time} your time`. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/gu, (whole, name: string) => values[name] ?? whole)
