/** The days on which the services of an invoice were rendered. */
import type { DateTime } from "effect"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import { localDay } from "../../kernel/time/WallClock.ts"

/** The first and the last day; null for an invoice without services on certain days. */
export interface ServiceDays {
  readonly service_from: string | null
  readonly service_to: string | null
}

/** The days of trips, each on the clock of its pickup, and otherwise on the one of the business; undefined without trips. */
export const daysOfTrips = (
  trips: ReadonlyArray<{ readonly trip_date: DateTime.Utc; readonly pickup_timezone: string | null }>,
  timezone: string
): ServiceDays | undefined => {
  const days = trips
    .map(({ pickup_timezone, trip_date }) => localDay(trip_date, pickup_timezone ?? timezone))
    .toSorted()
  const [service_from] = days
  const service_to = days.at(-1)
  return service_from === undefined || service_to === undefined ? undefined : { service_from, service_to }
}

/** The days of a request, of which one alone is both. */
export const sentDays = ({ service_from, service_to }: ServiceDays): ServiceDays => ({
  service_from: service_from ?? service_to,
  service_to: service_to ?? service_from
})

/** An issue if the last day is before the first one. */
export const serviceDayIssues = ({ service_from, service_to }: ServiceDays): ReadonlyArray<FieldIssue> =>
  service_from !== null && service_to !== null && service_to < service_from
    ? [{ field: "service_to", issue: "out_of_range" }]
    : []
