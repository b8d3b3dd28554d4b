import { DateTime } from "effect"

const hourMillis = 3_600_000

/** The most cached offsets. When it is reached, the cache of all zones is cleared. */
const maxCachedOffsets = 20_000

/** The offsets at the start of each hour, by zone and by hours since 1970. */
const offsets = new Map<string, Map<number, number>>()
let cachedOffsets = 0

const exactOffset = (epochMillis: number, timeZone: string): number =>
  DateTime.zonedOffset(DateTime.makeZonedUnsafe(epochMillis, { timeZone }))

const offsetAtHour = (hour: number, timeZone: string): number => {
  const cached = offsets.get(timeZone)?.get(hour)
  if (cached !== undefined) return cached
  const offset = exactOffset(hour * hourMillis, timeZone)
  if (cachedOffsets >= maxCachedOffsets) {
    offsets.clear()
    cachedOffsets = 0
  }
  const ofZone = offsets.get(timeZone) ?? new Map<number, number>()
  offsets.set(timeZone, ofZone.set(hour, offset))
  cachedOffsets += 1
  return offset
}

/**
 * The offset of a time zone from UTC at an instant, in milliseconds. A look-up of the platform's zone database takes
 * some microseconds, so offsets are cached by zone and hour. In an hour whose ends have different offsets a clock
 * changes: such an instant is looked up by itself.
 */
export const zoneOffset = (epochMillis: number, timeZone: string): number => {
  const hour = Math.floor(epochMillis / hourMillis)
  const offset = offsetAtHour(hour, timeZone)
  return offset === offsetAtHour(hour + 1, timeZone) ? offset : exactOffset(epochMillis, timeZone)
}
