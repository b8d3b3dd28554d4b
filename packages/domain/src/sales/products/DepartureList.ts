/** Lists the departures of a tour on some days, with the places that are left (docs/api/sales.md). */
import { DateTime, Effect } from "effect"
import { refuseIssues } from "../../kernel/Errors.ts"
import { dayCountIssues } from "../../kernel/time/DayRange.ts"
import { endOfDay, startOfDay } from "../../kernel/time/WallClock.ts"
import { DepartureRepository } from "./DepartureRepository.ts"
import type { ListedDeparture } from "./DepartureRecord.ts"
import { type DepartureDays, departuresOn, maxListedDays } from "./Departures.ts"
import type { Product } from "./Product.ts"

/** Makes the function that lists departures in the order of their starts; `InvalidInput` for more days than {@link maxListedDays}. */
export const makeDepartureList = Effect.gen(function* () {
  const departed = yield* DepartureRepository

  return Effect.fnUntraced(function* (
    { business_id, departures, duration_minutes, product_id }: Product,
    days: DepartureDays,
    timezone: string
  ) {
    yield* refuseIssues(dayCountIssues({ from: days.date_from, to: days.date_to }, maxListedDays, "date_to"))
    const range = { from: startOfDay(days.date_from, timezone), before: endOfDay(days.date_to, timezone) }
    const booked = new Map(
      (yield* departed.booked(business_id, product_id, range, yield* DateTime.now)).map(
        (departure) => [departure.starts_at.epochMilliseconds, departure] as const
      )
    )
    const scheduled = departuresOn(departures, days, timezone)
    const starts = new Set(scheduled.map(({ starts_at }) => starts_at.epochMilliseconds))
    const others = [...booked.values()].filter(({ starts_at }) => !starts.has(starts_at.epochMilliseconds))
    return [
      ...scheduled.map((departure) => ({ ...departure, is_scheduled: true })),
      ...others.map(({ starts_at, taken }) => ({ starts_at, seats: taken, is_scheduled: false }))
    ]
      .toSorted((one, other) => one.starts_at.epochMilliseconds - other.starts_at.epochMilliseconds)
      .map((departure): ListedDeparture => {
        const found = booked.get(departure.starts_at.epochMilliseconds)
        return {
          ...departure,
          ends_at: DateTime.add(departure.starts_at, { minutes: duration_minutes }),
          taken: found?.taken ?? 0,
          trip_id: found?.trip_id ?? null,
          is_cancelled: found?.is_cancelled ?? false
        }
      })
  })
})
