import { millisADay } from "./Day.ts"

/** The most days whose texts are cached. When it is reached, the cache is cleared. */
const maxCachedDays = 4096

const dayTexts = new Map<number, string>()

const dayText = (day: number): string => {
  const cached = dayTexts.get(day)
  if (cached !== undefined) return cached
  const text = new Date(day * millisADay).toISOString().slice(0, 10)
  if (dayTexts.size >= maxCachedDays) dayTexts.clear()
  dayTexts.set(day, text)
  return text
}

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"))

/**
 * The day and the time of an instant in UTC to the second, with `separator` between them. Ten times as fast as
 * `toISOString`, because many instants are of one day.
 */
export const timestampText = (epochMillis: number, separator: string): string => {
  const day = Math.floor(epochMillis / millisADay)
  const second = Math.floor((epochMillis - day * millisADay) / 1000)
  const minute = Math.floor(second / 60)
  return `${dayText(day)}${separator}${twoDigits[Math.floor(minute / 60)]}:${twoDigits[minute % 60]}:${twoDigits[second % 60]}`
}
