import {
  type BoardCar,
  type BoardDriver,
  type BoardQuery,
  type BusinessId,
  type CarId,
  carsOf,
  DispatchBoardRepository,
  isOnBoard,
  isLive,
  isOpenTrip,
  isUnderWay,
  maxChangedTrips,
  type Neighbour,
  overlaps,
  type Trip,
  type TripWindow,
  windowOf,
  windowOfAbsence
} from "@livery/domain"
import { DateTime } from "effect"
import { ascending, pageOf } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"
import { placeOf, storedTrips } from "./StoredTrips.ts"

export const layer = inMemory(DispatchBoardRepository, (store) => {
  const { absences, assignments, businesses, cars, drivers, positions, step, trips } = store
  const { meets, ofBusiness, withDrivers } = storedTrips(store)

  const idsByPickup = (someTrips: ReadonlyArray<Trip>) =>
    someTrips.toSorted(ascending(placeOf)).map(({ trip_id }) => trip_id)

  /** The other trips that an assignment clashes with. */
  const clashesOfDriver = ({ assignment_id }: Trip["drivers"][number]) => {
    const own = assignments.get(assignment_id)
    if (own === undefined || !isLive(own)) return []
    const others = assignments.where(
      (other) =>
        other.driver_id === own.driver_id &&
        other.trip_id !== own.trip_id &&
        isLive(other) &&
        overlaps(other.window, own.window)
    )
    return idsByPickup(others.flatMap(({ trip_id }) => trips.get(trip_id) ?? []))
  }

  /** Of other trips of a driver or a car: the last one that ends before a window, and the first one that starts after it. */
  const neighboursOf = (window: TripWindow, others: ReadonlyArray<Neighbour>): ReadonlyArray<Neighbour> => {
    const isNear = (one: DateTime.Utc, other: DateTime.Utc, days: number) =>
      DateTime.isLessThan(other, DateTime.add(one, { days }))
    const before = others.findLast(
      ({ ends, starts }) => !DateTime.isGreaterThan(ends, window.starts) && isNear(starts, window.starts, 2)
    )
    const after = others.find(
      ({ starts }) => !DateTime.isLessThan(starts, window.ends) && isNear(window.ends, starts, 1)
    )
    return [before, after].flatMap((neighbour) => neighbour ?? [])
  }

  const neighbourOf = (trip: Trip, { ends, starts }: TripWindow): Neighbour => ({
    trip_id: trip.trip_id,
    starts,
    ends,
    pickup_lat: trip.pickup_lat,
    pickup_lng: trip.pickup_lng,
    dropoff_lat: trip.dropoff_lat,
    dropoff_lng: trip.dropoff_lng
  })

  const neighboursOfDriver = ({ assignment_id }: Trip["drivers"][number]) => {
    const own = assignments.get(assignment_id)
    if (own === undefined || !isLive(own)) return []
    const others = assignments
      .where((other) => other.driver_id === own.driver_id && other.trip_id !== own.trip_id && isLive(other))
      .toSorted(
        ascending(({ assignment_id, window }) => [DateTime.toEpochMillis(window.starts), assignment_id])
      )
    return neighboursOf(
      own.window,
      others.flatMap(({ trip_id, window }) => {
        const trip = trips.get(trip_id)
        return trip === undefined ? [] : [neighbourOf(trip, window)]
      })
    )
  }

  const absencesOf = ({ assignment_id }: Trip["drivers"][number]) => {
    const own = assignments.get(assignment_id)
    if (own === undefined || !isLive(own)) return []
    return absences
      .where(
        (absence) => absence.driver_id === own.driver_id && overlaps(windowOfAbsence(absence), own.window)
      )
      .map(({ absence_id }) => absence_id)
      .toSorted((one, other) => one - other)
  }

  /** A car of a trip. It has neighbours and clashes only while it is in use. */
  const boardCar = (trip: Trip, carId: CarId | null, isInUse: boolean): BoardCar | null => {
    const car = carId === null ? undefined : cars.get(carId)
    if (car === undefined) return null
    const { active, car_id, deleted_at, name, plate_number, seats, vehicle_class } = car
    const ofCar = ofBusiness(trip.business_id).filter(
      (other) =>
        other.trip_id !== trip.trip_id &&
        isOpenTrip(other.status) &&
        carsOf(withDrivers(other)).includes(car_id)
    )
    const others = ofCar.filter((other) => overlaps(windowOf(other), windowOf(trip)))
    const neighbours = ofCar.toSorted(ascending(placeOf)).map((other) => neighbourOf(other, windowOf(other)))
    return {
      car_id,
      name,
      plate_number,
      seats,
      vehicle_class,
      active: active && deleted_at === undefined,
      clashes: isInUse ? idsByPickup(others) : [],
      neighbours: isInUse ? neighboursOf(windowOf(trip), neighbours) : []
    }
  }

  const boardDriver = (trip: Trip, assignment: Trip["drivers"][number]): BoardDriver => {
    const driver = drivers.get(assignment.driver_id)
    const position = isUnderWay(assignment) ? positions.get(assignment.assignment_id) : undefined
    return {
      ...assignment,
      phone: driver?.phone ?? null,
      active: driver !== undefined && driver.active && driver.deleted_at === undefined,
      clashes: clashesOfDriver(assignment),
      neighbours: neighboursOfDriver(assignment),
      license_expires_on: driver?.license_expires_on ?? null,
      absence_ids: absencesOf(assignment),
      car: boardCar(trip, assignment.car_id, isLive(assignment)),
      position:
        position === undefined
          ? null
          : { lat: position.lat, lng: position.lng, recorded_at: position.recorded_at }
    }
  }

  const isListed = (trip: Trip, query: BoardQuery) => isOnBoard(trip, query) && meets(trip, query)

  return {
    jobs: (businessId: BusinessId, query, request) =>
      step(() => {
        const listed = ofBusiness(businessId)
          .map(withDrivers)
          .filter((trip) => isListed(trip, query))
          .toSorted(ascending(placeOf))
        const { items, ...page } = pageOf(listed, request)
        return {
          ...page,
          items: items.map((trip) => ({
            trip,
            car: boardCar(trip, trip.car_id, isOpenTrip(trip.status)),
            drivers: trip.drivers.map((assignment) => boardDriver(trip, assignment))
          })),
          clashPolicy: businesses.get(businessId)?.clash_policy ?? "warn",
          turnaroundMinutes: businesses.get(businessId)?.turnaround_minutes ?? 0
        }
      }),
    changes: (businessIds, after) =>
      step(() => ({
        trips: businessIds.flatMap((businessId) =>
          trips
            .where(({ business_id }) => business_id === businessId)
            .map(({ deleted_at, trip_id, updated_at }) => ({
              businessId,
              tripId: trip_id,
              at: deleted_at ?? updated_at
            }))
            .filter(({ at }) => DateTime.isGreaterThan(at, after.trips))
            .toSorted(ascending(({ at }) => [-DateTime.toEpochMillis(at)]))
            .slice(0, maxChangedTrips)
        ),
        positions: assignments
          .where((assignment) => businessIds.includes(assignment.business_id) && isUnderWay(assignment))
          .flatMap(({ assignment_id, business_id, driver_id, trip_id }) => {
            const position = positions.get(assignment_id)
            if (position === undefined) return []
            const { lat, lng, recorded_at } = position
            return [
              {
                businessId: business_id,
                tripId: trip_id,
                driverId: driver_id,
                position: { lat, lng, recorded_at }
              }
            ]
          })
      }))
  }
})
