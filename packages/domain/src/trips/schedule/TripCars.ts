/** The cars of a trip: its own, and those of its drivers' assignments. */
import type { CarId } from "../../kernel/Ids.ts"
import { type Assignment, isLive } from "../trip/Assignment.ts"
import type { Trip } from "../trip/Trip.ts"

/** A trip with assignments, which may not be stored yet. */
export interface StaffedTrip extends Pick<Trip, "car_id"> {
  readonly drivers: ReadonlyArray<Pick<Assignment, "car_id" | "driver_id" | "status">>
}

/** The cars that a trip needs at its time: its own, and those of its live assignments. Each occurs once. */
export const carsOf = ({ car_id, drivers }: StaffedTrip): ReadonlyArray<CarId> => {
  const ofDrivers = drivers.filter(isLive).map((assignment) => assignment.car_id)
  return [...new Set([car_id, ...ofDrivers])].flatMap((carId) => carId ?? [])
}

/**
 * The cars that drive the trip: the car of each driver, which is the trip's own unless the assignment has another. A trip
 * without drivers is driven by its own car.
 */
export const drivingCarsOf = ({ car_id, drivers }: StaffedTrip): ReadonlyArray<CarId> => {
  const cars = drivers.length === 0 ? [car_id] : drivers.map((assignment) => assignment.car_id ?? car_id)
  return cars.flatMap((carId) => carId ?? [])
}

/** The trip as it is with new drivers, whose assignments are not stored yet. */
export const withNewDrivers = (
  trip: Trip,
  added: ReadonlyArray<Pick<Assignment, "car_id" | "driver_id">>
): StaffedTrip => ({
  car_id: trip.car_id,
  drivers: [...trip.drivers, ...added.map((driver) => ({ ...driver, status: "assigned" as const }))]
})

/** The trip without a car: neither as its own nor as that of a live assignment. */
export const withoutCar = (trip: Trip, carId: CarId): Trip => ({
  ...trip,
  car_id: trip.car_id === carId ? null : trip.car_id,
  drivers: trip.drivers.map((assignment) =>
    assignment.car_id === carId && isLive(assignment)
      ? { ...assignment, car_id: null, has_default_car: false }
      : assignment
  )
})

/**
 * The trip after a change of its car. Drivers took their default cars because the trip had none, so once it gets a car,
 * they drive that one.
 */
export const withTripCar = (before: Pick<Trip, "car_id">, after: Trip): Trip =>
  after.car_id === null || after.car_id === before.car_id
    ? after
    : {
        ...after,
        drivers: after.drivers.map((assignment) =>
          assignment.has_default_car && isLive(assignment)
            ? { ...assignment, car_id: null, has_default_car: false }
            : assignment
        )
      }
