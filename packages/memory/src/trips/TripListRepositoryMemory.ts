/** The domain's `TripListRepository` in memory. */
import {
  type BusinessId,
  type Page,
  type Trip,
  TripListRepository,
  type TripPage,
  type TripQuery
} from "@livery/domain"
import { Effect, Layer, Option } from "effect"
import { cursorOf, numbersOf } from "../store/Cursors.ts"
import { ascending, descending, pageOf } from "../store/Pages.ts"
import { Store } from "../store/Store.ts"
import { placeOf, storedTrips } from "./StoredTrips.ts"
import { isWithin } from "../store/Ranges.ts"

/** The dates that a `Timestamp` can express, with a day for its offset. */
const [firstDate, lastDate] = [Date.UTC(1969, 11, 31), Date.UTC(3000, 0, 2)]

/** The number of a page, and the place of the last trip before it. */
const readCursor = (cursor: string) =>
  Option.flatMap(numbersOf(cursor), ([page = 0, tripDate = 0, tripId = 0, ...others]) =>
    others.length === 0 && page > 1 && tripId > 0 && tripDate >= firstDate && tripDate <= lastDate
      ? Option.some({ page, after: [tripDate, tripId] })
      : Option.none()
  )

const withCursor = (number: number, page: Page<Trip>): TripPage<Trip> => {
  const last = page.hasMore ? page.items.at(-1) : undefined
  return { ...page, page: number, nextCursor: last && cursorOf([number + 1, ...placeOf(last)]) }
}

export const layer = Layer.effect(
  TripListRepository,
  Effect.gen(function* () {
    const store = yield* Store
    const { step } = store
    const { meets, ofBusiness, withDrivers } = storedTrips(store)

    const listed = (businessId: BusinessId, query: TripQuery) =>
      ofBusiness(businessId)
        .map(withDrivers)
        .filter((trip) => meets(trip, query))
        .filter(
          ({ payment_status, status, trip_date }) =>
            (query.status ?? status) === status &&
            (query.paymentStatus ?? payment_status) === payment_status &&
            isWithin(trip_date, query.from, query.before)
        )
        .toSorted(query.order === "soonest" ? ascending(placeOf) : descending(placeOf))

    return TripListRepository.of({
      page: (businessId, query, request, counted = true) =>
        step(() => {
          const page = pageOf(listed(businessId, query), request)
          return withCursor(request.page, counted ? page : { ...page, total: undefined })
        }),
      after: (businessId, query, cursor, perPage) =>
        step(() =>
          Option.map(readCursor(cursor), ({ after, page }) => {
            const compare = query.order === "soonest" ? ascending : descending
            const isAfter = compare((place: ReadonlyArray<number>) => place)
            const rest = listed(businessId, query).filter((trip) => isAfter(placeOf(trip), after) > 0)
            return withCursor(page, { ...pageOf(rest, { page: 1, perPage }), total: undefined })
          })
        )
    })
  })
)
