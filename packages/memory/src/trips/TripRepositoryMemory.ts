import {
  type BusinessId,
  carsOf,
  CurrentActor,
  type InsertedTrip,
  isOpenTrip,
  type Trip,
  type TripId,
  TripRepository
} from "@livery/domain"
import { DateTime, Effect, Layer, Option } from "effect"
import { makeRecordEvent } from "../events/EventLogMemory.ts"
import { ascending } from "../store/Pages.ts"
import { Store } from "../store/Store.ts"
import { markTrip } from "./NoticeMarksMemory.ts"
import { likelyDuplicates } from "./LikelyDuplicates.ts"
import { storedTrips } from "./StoredTrips.ts"

export const layer = Layer.effect(
  TripRepository,
  Effect.gen(function* () {
    const store = yield* Store
    const { run, step, timeline, trips } = store
    const { find, ofBusiness, withDrivers } = storedTrips(store)
    const recordEvent = yield* makeRecordEvent

    const isTaken = (trip: Trip) =>
      trips.find(
        ({ business_id, reference, trip_id }) =>
          trip_id === trip.trip_id || (business_id === trip.business_id && reference === trip.reference)
      ) !== undefined

    const insert = (trip: Trip, actor: string): Option.Option<InsertedTrip> => {
      if (isTaken(trip)) return Option.none()
      const duplicates = likelyDuplicates(ofBusiness(trip.business_id), trip, null)
      const change_id = timeline.next()
      timeline.set(change_id, {
        change_id,
        business_id: trip.business_id,
        trip_id: trip.trip_id,
        at: trip.created_at,
        actor,
        change: "created",
        driver_id: null,
        before: null,
        after: { status: trip.status }
      })
      const stored = trips.set(trip.trip_id, trip)
      const mark = { before: null, hasDriver: false, isUrgent: false }
      markTrip(store, trip.business_id, trip.trip_id, mark, trip.created_at)
      return Option.some({ trip: stored, duplicates })
    }

    const findOption = (businessId: BusinessId, tripId: TripId) =>
      step(() => Option.fromUndefinedOr(find(businessId, tripId)))
    const idsOf = (businessId: BusinessId, matches: (trip: Trip) => boolean) =>
      step(() =>
        ofBusiness(businessId)
          .filter(matches)
          .map(({ trip_id }) => trip_id)
          .toSorted(ascending((tripId) => [tripId]))
      )

    const update = (trip: Trip) =>
      step(() => {
        const { business_id, trip_id } = trip
        if (trips.get(trip_id)?.business_id === business_id) trips.change(trip_id, { ...trip, drivers: [] })
      })

    return TripRepository.of({
      insert: Effect.fnUntraced(function* ({ event, trip }) {
        const actor = yield* CurrentActor
        return yield* run(
          Effect.gen(function* () {
            const inserted = yield* step(() => insert(trip, actor))
            if (Option.isSome(inserted) && event !== undefined) yield* recordEvent(event)
            return inserted
          })
        )
      }),
      insertAll: (_businessId, all) =>
        step(() =>
          all.flatMap((trip) => {
            if (isTaken(trip)) return []
            trips.set(trip.trip_id, trip)
            return [trip.trip_id]
          })
        ),
      find: findOption,
      lock: findOption,
      lockAll: (businessId, tripIds) =>
        step(() =>
          tripIds
            .toSorted(ascending((tripId) => [tripId]))
            .flatMap((tripId) => find(businessId, tripId) ?? [])
        ),
      update,
      updateAll: (businessId, all) =>
        Effect.forEach(
          all.filter(({ trip_id }) => trips.get(trip_id)?.business_id === businessId),
          update,
          { discard: true }
        ),
      setCustomer: (businessId, tripIds, customer_id, now) =>
        step(() => {
          for (const tripId of tripIds)
            if (trips.get(tripId)?.business_id === businessId)
              trips.change(tripId, { customer_id, updated_at: now })
        }),
      setInvoice: (businessId, tripIds, { invoiceId, paymentStatus }, now) =>
        step(() => {
          for (const tripId of tripIds)
            if (trips.get(tripId)?.business_id === businessId)
              trips.change(tripId, {
                invoice_id: invoiceId,
                payment_status: paymentStatus,
                updated_at: now
              })
        }),
      openTripsOfGroup: (businessId, groupId, most) =>
        Effect.map(
          idsOf(businessId, ({ group_id, status }) => group_id === groupId && isOpenTrip(status)),
          (ids) => ids.slice(0, most)
        ),
      endedTripsOfGroup: (businessId, groupId, from, most) =>
        step(() =>
          trips
            .where(
              ({ business_id, deleted_at, group_id, status, trip_date }) =>
                business_id === businessId &&
                deleted_at === undefined &&
                group_id === groupId &&
                !isOpenTrip(status) &&
                (from === undefined || !DateTime.isLessThan(trip_date, from))
            )
            .toSorted(ascending(({ trip_date, trip_id }) => [DateTime.toEpochMillis(trip_date), trip_id]))
            .toReversed()
            .slice(0, most)
            .map(({ trip_id }) => trip_id)
        ),
      openTripsOfCar: (businessId, carId) =>
        idsOf(businessId, (trip) => isOpenTrip(trip.status) && carsOf(withDrivers(trip)).includes(carId)),
      openTripsOfCustomer: (businessId, customerId) =>
        idsOf(businessId, ({ customer_id, status }) => customer_id === customerId && isOpenTrip(status)),
      tripsWithoutCustomer: (businessId, email) =>
        idsOf(
          businessId,
          ({ customer_email, customer_id }) => customer_id === null && customer_email === email
        )
    })
  })
)
