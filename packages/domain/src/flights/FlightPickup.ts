/** The pickup that follows from a flight. */
import { DateTime, Duration } from "effect"
import type { FlightReport } from "./FlightSource.ts"
import type { FlightSettings } from "./FlightSettings.ts"

/** How long before a pickup its flight may be scheduled to arrive, and how long after it. */
const [longestBefore, longestAfter] = [Duration.hours(3), Duration.hours(1)]

const minute = 60_000

/**
 * The report of the flight that the passenger arrives with: the one that is scheduled nearest to the booked pickup, from 3 hours
 * before to an hour after it. Undefined if there is none: a departing passenger's flight lands hours later somewhere else.
 */
export const arrivalAmong = (
  reports: ReadonlyArray<FlightReport>,
  bookedFor: DateTime.Utc
): FlightReport | undefined => {
  const distanceOf = ({ scheduled }: FlightReport) =>
    scheduled === null ? Number.NaN : scheduled.epochMilliseconds - bookedFor.epochMilliseconds
  return reports
    .filter((report) => {
      const distance = distanceOf(report)
      return distance >= -Duration.toMillis(longestBefore) && distance <= Duration.toMillis(longestAfter)
    })
    .toSorted((one, other) => Math.abs(distanceOf(one)) - Math.abs(distanceOf(other)))[0]
}

/** The pickup of a flight, to the minute. `isLimited`: the flight would move it further than the business allows. */
export interface FlightPickup {
  readonly at: DateTime.Utc
  readonly isLimited: boolean
}

/**
 * The pickup that follows from an arrival: as much later or earlier than booked as the flight is, and never less than the
 * buffer after the landing, within the limits of the business. A flight that is cancelled or diverted, or of which no time
 * is known, keeps the pickup as it is booked.
 */
export const pickupOf = (
  { estimated, landed, scheduled, state }: FlightReport,
  bookedFor: DateTime.Utc,
  { buffer_minutes, max_earlier_minutes, max_later_minutes }: FlightSettings
): FlightPickup | undefined => {
  const arrival = landed ?? estimated ?? scheduled
  if (state === "cancelled" || state === "diverted" || arrival === null || scheduled === null)
    return undefined
  const [booked, lands] = [bookedFor.epochMilliseconds, arrival.epochMilliseconds]
  const shifted = booked + lands - scheduled.epochMilliseconds
  const earliest = buffer_minutes === 0 ? shifted : Math.max(shifted, lands + buffer_minutes * minute)
  const wanted = booked + Math.round((earliest - booked) / minute) * minute
  const allowed = Math.min(
    Math.max(wanted, booked - max_earlier_minutes * minute),
    booked + max_later_minutes * minute
  )
  return { at: DateTime.makeUnsafe(allowed), isLimited: allowed !== wanted }
}
