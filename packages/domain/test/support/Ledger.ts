/** Trips, cars and events in memory, as the ports promise them. */
import {
  CarRepository,
  type DomainEvent,
  EventLog,
  type Trip,
  type TripId,
  type TripQuery,
  TripRepository
} from "@livery/domain"
import { Effect, Layer, Option } from "effect"
import { transactions } from "./Transactions.ts"

export const ledger = () => {
  const transaction = transactions()
  const calls: Array<string> = []
  const trips: Array<Trip> = []
  const events: Array<DomainEvent> = []
  const references: Array<string> = []
  const queries: Array<TripQuery> = []
  /** The cars there are, as `business/car`, and how many of the next references are taken. */
  const given = { cars: new Set<string>(), taken: 0 }

  const layer = Layer.mergeAll(
    transaction.layer,
    Layer.succeed(
      TripRepository,
      TripRepository.of({
        insert: (trip, now) =>
          transaction.noting(
            calls,
            "trip",
            Effect.sync(() => {
              references.push(trip.reference)
              if (given.taken-- > 0) return Option.none<Trip>()
              const stored: Trip = {
                ...trip,
                trip_id: (trips.length + 1) as TripId,
                driver_status: "unassigned",
                created_at: now,
                updated_at: now
              }
              trips.push(stored)
              return Option.some(stored)
            })
          ),
        find: (businessId, tripId) =>
          Effect.sync(() =>
            Option.fromUndefinedOr(
              trips.find(({ business_id, trip_id }) => business_id === businessId && trip_id === tripId)
            )
          ),
        list: (businessId, query) =>
          Effect.sync(() => {
            queries.push(query)
            const items = trips.filter(({ business_id }) => business_id === businessId)
            return { items, total: items.length, hasMore: false }
          })
      })
    ),
    Layer.succeed(
      CarRepository,
      CarRepository.of({
        hold: (businessId, carId) =>
          transaction.noting(
            calls,
            "car",
            Effect.sync(() => given.cars.has(`${businessId}/${carId}`))
          )
      })
    ),
    Layer.succeed(
      EventLog,
      EventLog.of({
        record: (event) =>
          transaction.noting(
            calls,
            "event",
            Effect.sync(() => void events.push(event))
          )
      })
    )
  )
  return { calls, trips, events, references, queries, given, layer, transaction: transaction.state }
}
