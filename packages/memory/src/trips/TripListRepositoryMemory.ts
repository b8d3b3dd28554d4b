import {
  type BusinessId,
  offsetOf,
  type Page,
  pageTooDeep,
  reachOf,
  type Trip,
  TripListRepository,
  type TripPage,
  type TripQuery
} from "@livery/domain"
import { DateTime, Effect, Option } from "effect"
import { cursorOf, numbersOf } from "../store/Cursors.ts"
import { ascending, descending, pageOf } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"
import { storedTrips } from "./StoredTrips.ts"
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

/** The place of a trip in the list: by its last change for `updatedSince`, or else by its pickup. */
const placeIn = (query: TripQuery, { trip_date, trip_id, updated_at }: Trip) => [
  DateTime.toEpochMillis(query.updatedSince === undefined ? trip_date : updated_at),
  trip_id
]

export const layer = inMemory(TripListRepository, (store) => {
  const { step } = store
  const { meets, ofBusiness, withDrivers } = storedTrips(store)

  const orderOf = ({ order, updatedSince }: TripQuery) =>
    order === "soonest" || updatedSince !== undefined ? ascending : descending

  const listed = (businessId: BusinessId, query: TripQuery) =>
    ofBusiness(businessId)
      .map(withDrivers)
      .filter((trip) => meets(trip, query))
      .filter(
        ({ invoice_id, payment_status, status, trip_date }) =>
          (query.status ?? status) === status &&
          (query.paymentStatus ?? payment_status) === payment_status &&
          (query.invoiced ?? invoice_id !== null) === (invoice_id !== null) &&
          isWithin(trip_date, query.from, query.before)
      )
      .toSorted(orderOf(query)((trip) => placeIn(query, trip)))

  const withCursor = (query: TripQuery, number: number, page: Page<Trip>): TripPage<Trip> => {
    const last = page.hasMore ? page.items.at(-1) : undefined
    return { ...page, page: number, nextCursor: last && cursorOf([number + 1, ...placeIn(query, last)]) }
  }

  return {
    page: (businessId, query, request) =>
      offsetOf(request) > reachOf(query, request)
        ? Effect.fail(pageTooDeep())
        : step(() => withCursor(query, request.page, pageOf(listed(businessId, query), request))),
    after: (businessId, query, cursor, perPage) =>
      step(() =>
        Option.map(readCursor(cursor), ({ after, page }) => {
          const isAfter = orderOf(query)((place: ReadonlyArray<number>) => place)
          const rest = listed(businessId, query).filter((trip) => isAfter(placeIn(query, trip), after) > 0)
          return withCursor(query, page, { ...pageOf(rest, { page: 1, perPage }), total: undefined })
        })
      )
  }
})
