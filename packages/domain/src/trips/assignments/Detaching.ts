/** Detaching a car, a driver or a customer from its open trips, so that it can be deleted. */
import { Context, Effect, Layer } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import type { CarId, CustomerId, DriverId, TripId } from "../../kernel/Ids.ts"
import { isLive } from "../trip/Assignment.ts"
import { AssignmentRepository } from "../trip/AssignmentRepository.ts"
import type { Trip } from "../trip/Trip.ts"
import { withoutCar } from "../schedule/TripCars.ts"
import { TripRepository } from "../trip/TripRepository.ts"
import { isOpenTrip } from "../trip/TripStatus.ts"
import { TripUnitOfWork } from "../changes/TripUnitOfWork.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/**
 * Detaching runs inside of the caller's transaction. Call `lockForDelete` on the car, driver or customer first: then
 * no trip can begin to refer to it.
 */
export class Detaching extends Context.Service<Detaching>()("@livery/domain/Detaching", {
  make: Effect.gen(function* () {
    const trips = yield* TripRepository
    const assignments = yield* AssignmentRepository
    const unitOfWork = yield* TripUnitOfWork

    /** Locks and changes each trip. A trip that ended or was deleted after its id was read is skipped. */
    const changeEach = (
      acting: ActingBusiness,
      tripIds: ReadonlyArray<TripId>,
      change: (trip: Trip) => Trip
    ) =>
      Effect.forEach(
        tripIds,
        (tripId) =>
          Effect.flatMap(unitOfWork.lock(acting, tripId), (trip) =>
            isOpenTrip(trip.status) ? unitOfWork.commit(acting, trip, change(trip), "operator") : Effect.void
          ).pipe(Effect.catchTag("NotFound", () => Effect.void)),
        { discard: true }
      )

    return {
      /** The trips that have not ended and refer to the car, in order of id. */
      openTripsOfCar: trips.openTripsOfCar,

      /** The trips that have not ended and refer to the driver, in order of id. */
      openTripsOfDriver: assignments.openTrips,

      /** The trips that have not ended and refer to the customer, in order of id. */
      openTripsOfCustomer: trips.openTripsOfCustomer,

      /** Removes the car from its open trips and from their live assignments; sends `trip.updated` for each. */
      detachCar: traced("Detaching.detachCar")(function* (acting: ActingBusiness, carId: CarId) {
        const open = yield* trips.openTripsOfCar(acting.business_id, carId)
        yield* changeEach(acting, open, (trip) => withoutCar(trip, carId))
      }),

      /**
       * Cancels the driver's live assignments and invalidates their tokens; sends `driver.assigned` with the remaining
       * drivers, and `trip.updated` where the trip's status changed.
       */
      detachDriver: traced("Detaching.detachDriver")(function* (acting: ActingBusiness, driverId: DriverId) {
        const open = yield* assignments.openTrips(acting.business_id, driverId)
        yield* changeEach(acting, open, (trip) => ({
          ...trip,
          drivers: trip.drivers.filter(
            (assignment) => assignment.driver_id !== driverId || !isLive(assignment)
          )
        }))
      }),

      /**
       * Removes the customer's id from its open trips, which keep the name and the addresses; sends `trip.updated` for
       * each.
       */
      detachCustomer: traced("Detaching.detachCustomer")(function* (
        acting: ActingBusiness,
        customerId: CustomerId
      ) {
        const open = yield* trips.openTripsOfCustomer(acting.business_id, customerId)
        yield* changeEach(acting, open, (trip) =>
          trip.customer_id === customerId ? { ...trip, customer_id: null } : trip
        )
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Detaching, Detaching.make).pipe(Layer.provide(TripUnitOfWork.layer))
}
