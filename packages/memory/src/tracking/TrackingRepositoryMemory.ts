import {
  Brand,
  isLive,
  isOpenTrip,
  isUnderWay,
  Position,
  type Ride,
  RideCar,
  type TrackedTrip,
  TrackingRepository,
  type Trip
} from "@livery/domain"
import { DateTime, Option } from "effect"
import { actingBusiness, only } from "../store/Fields.ts"
import { ascending, descending } from "../store/Pages.ts"
import type { AssignmentRow } from "../store/Rows.ts"
import { inMemory } from "../store/Store.ts"

/** When the trip was completed or cancelled; null while it is open. */
const endOf = ({ cancelled_at, completed_at, status }: Trip) =>
  ({ completed: completed_at, cancelled: cancelled_at, pending: null, confirmed: null, in_progress: null })[
    status
  ]

export const layer = inMemory(
  TrackingRepository,
  ({ assignments, businesses, cars, drivers, links, positions, step, trips }) => {
    const positionOf = (assignment: AssignmentRow) =>
      isUnderWay(assignment) ? positions.get(assignment.assignment_id) : undefined

    /** The driver under way whose position was measured last, or else the first one who will drive. */
    const shownOf = (trip: Trip): AssignmentRow | undefined =>
      assignments
        .where((assignment) => assignment.trip_id === trip.trip_id && isLive(assignment))
        .toSorted(
          ascending((assignment) => {
            const measured = positionOf(assignment)?.recorded_at
            return [
              isUnderWay(assignment) ? 0 : 1,
              measured === undefined ? 0 : -DateTime.toEpochMillis(measured),
              assignment.assignment_id
            ]
          })
        )[0]

    const rideOf = (trip: Trip, { car_id, driver_id, milestones }: AssignmentRow): Ride | null => {
      const driver = drivers.get(driver_id)
      const carId = car_id ?? trip.car_id
      const car = carId === null ? undefined : cars.get(carId)
      const [last] = milestones
        .filter(({ milestone }) => milestone !== "arrived_at_stop")
        .toSorted(descending(({ at, milestone }) => [DateTime.toEpochMillis(at), milestone]))
      return driver === undefined
        ? null
        : {
            driver_name: driver.name,
            car: car === undefined ? null : only(RideCar, car),
            milestone: last?.milestone ?? null
          }
    }

    const pointOf = (lat: number | null, lng: number | null) =>
      lat === null || lng === null ? null : { lat, lng }

    const tracked = (trip: Trip): ReadonlyArray<TrackedTrip> => {
      const { business_id, deleted_at, driver_status, pickup_timezone, status, trip_date, trip_id } = trip
      const business = businesses.get(business_id)
      if (business === undefined) return []
      const shown = shownOf(trip)
      const position = shown && positionOf(shown)
      return [
        {
          trip_id,
          business: actingBusiness(business),
          status,
          driver_status,
          trip_date,
          pickup_timezone,
          deleted: deleted_at !== undefined,
          ended_at: endOf(trip),
          link_hash: links.get(trip_id)?.tokenHash ?? null,
          asks_pin: business.pickup_pin,
          position: position === undefined ? null : only(Position, position),
          brand: only(Brand, business),
          pickup: pointOf(trip.pickup_lat, trip.pickup_lng),
          dropoff: pointOf(trip.dropoff_lat, trip.dropoff_lng),
          ride: shown === undefined ? null : rideOf(trip, shown)
        }
      ]
    }

    return {
      find: (businessId, tripIds) =>
        step(() =>
          tripIds.flatMap((tripId) => {
            const trip = trips.get(tripId)
            return trip?.business_id === businessId ? tracked(trip) : []
          })
        ),
      findByLink: (businessId, hash) =>
        step(() => {
          const link = links.find(
            ({ business_id, tokenHash }) => business_id === businessId && tokenHash === hash
          )
          const trip = link && trips.get(link.trip_id)
          return Option.fromUndefinedOr(trip && tracked(trip)[0])
        }),
      setLink: (business_id, trip_id, tokenHash) =>
        step(() => {
          const trip = trips.get(trip_id)
          const isShareable =
            trip?.business_id === business_id && trip.deleted_at === undefined && isOpenTrip(trip.status)
          if (isShareable) links.set(trip_id, { business_id, trip_id, tokenHash })
          return isShareable
        }),
      removeLink: (businessId, tripId) =>
        step(() => links.get(tripId)?.business_id === businessId && links.remove(tripId))
    }
  }
)
