/** Numbers, money, times and ages in the reader's language. */

/** The functions that format values, for a locale. */
export interface Format {
  readonly money: (amount: number, currency: string) => string
  readonly number: (value: number) => string
  readonly percent: (value: number) => string
  /** A day of the calendar (`2026-11-20`). */
  readonly day: (date: string) => string
  /** An instant on the clock of a zone. */
  readonly time: (instant: string, zone: string) => string
  readonly dateTime: (instant: string, zone: string) => string
  /** `8 minutes` */
  readonly minutes: (count: number) => string
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
  return {
    money: (amount, currency) =>
      new Intl.NumberFormat(locale, { style: "currency", currency }).format(amount),
    number: (value) => new Intl.NumberFormat(locale, { maximumFractionDigits: 3 }).format(value),
    percent: (value) =>
      new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 2 }).format(value / 100),
    day: (date) => inZone("UTC", { dateStyle: "long" }).format(new Date(`${date}T00:00:00Z`)),
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
    minutes: (count) =>
      new Intl.NumberFormat(locale, { style: "unit", unit: "minute", unitDisplay: "long" }).format(count),
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
