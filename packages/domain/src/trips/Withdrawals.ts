/** What becomes of the trips that have not ended when a car, a driver or a customer of theirs goes. */
import { Context, Effect, Layer } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import type { BusinessId, CarId, CustomerId, DriverId, TripId } from "../kernel/Ids.ts"
import { isLive } from "./Assignment.ts"
import { AssignmentRepository } from "./AssignmentRepository.ts"
import type { Trip } from "./Trip.ts"
import { TripLife } from "./TripLife.ts"
import { TripRepository } from "./TripRepository.ts"
import { tripMachine } from "./TripStatus.ts"

/**
 * Withdrawing runs inside of the caller's transaction, which holds the car, the driver or the customer alone before
 * it asks: then no trip can begin to refer to them.
 *
 * - `openTripsOf…`: the trips that have not ended and refer to it, in order of id.
 * - `withdrawCar`: those trips have no car any more; `trip.updated` for each.
 * - `withdrawDriver`: the driver's live assignments are cancelled and their tokens dead; `driver.assigned` with who
 *   remains, and `trip.updated` where that changed the trip's status.
 * - `withdrawCustomer`: those trips keep the customer's name and address, and are no customer's any more;
 *   `trip.updated` for each.
 */
export class Withdrawals extends Context.Service<
  Withdrawals,
  {
    readonly openTripsOfCar: (businessId: BusinessId, carId: CarId) => Effect.Effect<ReadonlyArray<TripId>>
    readonly openTripsOfDriver: (
      businessId: BusinessId,
      driverId: DriverId
    ) => Effect.Effect<ReadonlyArray<TripId>>
    readonly openTripsOfCustomer: (
      businessId: BusinessId,
      customerId: CustomerId
    ) => Effect.Effect<ReadonlyArray<TripId>>
    readonly withdrawCar: (acting: ActingBusiness, carId: CarId) => Effect.Effect<void>
    readonly withdrawDriver: (acting: ActingBusiness, driverId: DriverId) => Effect.Effect<void>
    readonly withdrawCustomer: (acting: ActingBusiness, customerId: CustomerId) => Effect.Effect<void>
  }
>()("@livery/domain/Withdrawals") {
  static readonly layer = Layer.effect(
    Withdrawals,
    Effect.gen(function* () {
      const trips = yield* TripRepository
      const assignments = yield* AssignmentRepository
      const life = yield* TripLife

      /** A trip that ended or was deleted since it was looked up needs nothing. */
      const changeEach = (
        acting: ActingBusiness,
        tripIds: ReadonlyArray<TripId>,
        change: (trip: Trip) => Trip
      ) =>
        Effect.forEach(
          tripIds,
          (tripId) =>
            Effect.flatMap(life.hold(acting, tripId), (trip) =>
              tripMachine.isTerminal(trip.status)
                ? Effect.void
                : life.settle(acting, trip, change(trip), "operator")
            ).pipe(Effect.catchTag("NotFound", () => Effect.void)),
          { discard: true }
        )

      const withdrawCar = Effect.fn("Withdrawals.withdrawCar")(function* (
        acting: ActingBusiness,
        carId: CarId
      ) {
        const open = yield* trips.openTripsOfCar(acting.business_id, carId)
        yield* changeEach(acting, open, (trip) => (trip.car_id === carId ? { ...trip, car_id: null } : trip))
      })

      const withdrawDriver = Effect.fn("Withdrawals.withdrawDriver")(function* (
        acting: ActingBusiness,
        driverId: DriverId
      ) {
        const open = yield* assignments.openTrips(acting.business_id, driverId)
        yield* changeEach(acting, open, (trip) => ({
          ...trip,
          drivers: trip.drivers.filter((it) => it.driver_id !== driverId || !isLive(it))
        }))
      })

      const withdrawCustomer = Effect.fn("Withdrawals.withdrawCustomer")(function* (
        acting: ActingBusiness,
        customerId: CustomerId
      ) {
        const open = yield* trips.openTripsOfCustomer(acting.business_id, customerId)
        yield* changeEach(acting, open, (trip) =>
          trip.customer_id === customerId ? { ...trip, customer_id: null } : trip
        )
      })

      return Withdrawals.of({
        openTripsOfCar: trips.openTripsOfCar,
        openTripsOfDriver: assignments.openTrips,
        openTripsOfCustomer: trips.openTripsOfCustomer,
        withdrawCar,
        withdrawDriver,
        withdrawCustomer
      })
    })
  ).pipe(Layer.provide(TripLife.layer))
}
