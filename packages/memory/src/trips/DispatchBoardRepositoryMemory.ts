/** The domain's `DispatchBoardRepository` in memory. */
import {
  type BoardCar,
  type BoardDriver,
  type BoardQuery,
  type BusinessId,
  DispatchBoardRepository,
  isAtTimeOf,
  isListedOnBoard,
  isLive,
  isOpenTrip,
  isUnderWay,
  overlaps,
  type Trip,
  windowOf
} from "@livery/domain"
import { Effect, Layer } from "effect"
import { ascending, pageOf } from "../store/Pages.ts"
import { Store } from "../store/Store.ts"
import { placeOf, storedTrips } from "./StoredTrips.ts"

export const layer = Layer.effect(
  DispatchBoardRepository,
  Effect.gen(function* () {
    const store = yield* Store
    const { assignments, businesses, cars, drivers, positions, step, trips } = store
    const { meets, ofBusiness, withDrivers } = storedTrips(store)

    const idsByPickup = (found: ReadonlyArray<Trip>) =>
      found.toSorted(ascending(placeOf)).map(({ trip_id }) => trip_id)

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

    const boardDriver = (assignment: Trip["drivers"][number]): BoardDriver => {
      const driver = drivers.get(assignment.driver_id)
      const position = isUnderWay(assignment) ? positions.get(assignment.assignment_id) : undefined
      return {
        ...assignment,
        phone: driver?.phone ?? null,
        active: driver !== undefined && driver.active && driver.deleted_at === undefined,
        clashes: clashesOfDriver(assignment),
        position:
          position === undefined
            ? null
            : { lat: position.lat, lng: position.lng, recorded_at: position.recorded_at }
      }
    }

    const boardCar = (trip: Trip): BoardCar | null => {
      const car = trip.car_id === null ? undefined : cars.get(trip.car_id)
      if (car === undefined) return null
      const { active, car_id, deleted_at, name, plate_number, seats } = car
      const others = ofBusiness(trip.business_id).filter(
        (other) =>
          other.car_id === car_id &&
          other.trip_id !== trip.trip_id &&
          isOpenTrip(other.status) &&
          overlaps(windowOf(other), windowOf(trip))
      )
      return {
        car_id,
        name,
        plate_number,
        seats,
        active: active && deleted_at === undefined,
        clashes: isOpenTrip(trip.status) ? idsByPickup(others) : []
      }
    }

    const isListed = (trip: Trip, query: BoardQuery) =>
      isAtTimeOf(trip, query) &&
      (query.status === undefined ? isListedOnBoard(trip.status) : trip.status === query.status) &&
      meets(trip, query)

    return DispatchBoardRepository.of({
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
              car: boardCar(trip),
              drivers: trip.drivers.map(boardDriver)
            })),
            policy: businesses.get(businessId)?.clash_policy ?? "warn"
          }
        })
    })
  })
)
