/** The use cases of drivers (docs/api/fleet.md). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { PlanRepository } from "../business/PlanRepository.ts"
import { CredentialCache } from "../identity/credentials/CredentialCache.ts"
import { InvalidInput, orNotFound, refuseIssues } from "../kernel/Errors.ts"
import type { Bulk } from "../kernel/fields/Bulk.ts"
import type { DriverId } from "../kernel/Ids.ts"
import { oncePerRequest } from "../kernel/idempotency/CurrentRequestParts.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { makeDeletion, type DeletionTerms } from "../trips/trip/Deletion.ts"
import { Detaching } from "../trips/assignments/Detaching.ts"
import { AbsenceRepository } from "./availability/AbsenceRepository.ts"
import {
  availabilityRecord,
  type AvailabilityQuery,
  daysIssues,
  daysOf,
  windowOfDays
} from "./availability/Availability.ts"
import type { FleetFilter } from "./cars/Car.ts"
import { makeLockDefaultCar, noSuchCar } from "./cars/DefaultCarLock.ts"
import { type Driver, type DriverInput, driverRecord, type DriverRecord } from "./drivers/Driver.ts"
import { DriverRepository } from "./drivers/DriverRepository.ts"
import { makeDriverSeats } from "./seats/DriverSeats.ts"
import { makeUpdateDriver } from "./DriverUpdate.ts"
import { SeatRepository } from "./seats/SeatRepository.ts"
import { SeatSubscriptions } from "./seats/SeatSubscriptions.ts"
import { makeBulk } from "../kernel/Bulk.ts"
import { traced } from "../kernel/TracedFunction.ts"

const seatWithinAll = () =>
  new InvalidInput({
    issues: [{ field: "confirm_seat", issue: "invalid" }],
    advice: "A seat is paid before its driver is stored: send the drivers without all_or_nothing"
  })

/**
 * `NotFound` if the driver is absent or another business's; `InvalidInput` for a car that the business does not have
 * or that is not active; `Conflict` if the precondition fails.
 */
export class Drivers extends Context.Service<Drivers>()("@livery/domain/Drivers", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const plans = yield* PlanRepository
    const drivers = yield* DriverRepository
    const absences = yield* AbsenceRepository
    const seats = yield* SeatRepository
    const subscriptions = yield* SeatSubscriptions
    const lockDefaultCar = yield* makeLockDefaultCar
    const { allowOneMore, endSurplus } = yield* makeDriverSeats
    const detaching = yield* Detaching
    const credentials = yield* CredentialCache

    const requireDriver = orNotFound("driver")

    const remove = makeDeletion(transaction, {
      resource: "driver",
      record: driverRecord,
      lockForDelete: ({ business_id }: ActingBusiness, driverId: DriverId) =>
        Effect.andThen(plans.lock(business_id), drivers.lockForDelete(business_id, driverId)),
      openTrips: ({ business_id }, driverId) => detaching.openTripsOfDriver(business_id, driverId),
      detach: detaching.detachDriver,
      remove: Effect.fnUntraced(function* (
        { business_id }: ActingBusiness,
        driverId: DriverId,
        driver: Driver
      ) {
        yield* drivers.remove(business_id, driverId, yield* DateTime.now)
        if (driver.active) yield* endSurplus(business_id, driverId)
        if (driver.user_id !== null) yield* transaction.afterCommit(credentials.invalidateAll)
      })
    })

    /**
     * Adds a driver. If the driver is active and the plan allows no further driver, the business pays for a seat if
     * `confirm_seat` is true and the plan sells seats; else `PlanLimitExceeded`. Exact for concurrent calls too. If
     * the payment provider charges for the business's seats, it confirms the seat first; `PaymentRefused` or
     * `PaymentProviderUnavailable` if it does not, and the driver is not added.
     */
    const create = traced("Drivers.create")(function* (acting: ActingBusiness, input: DriverInput) {
      const { business_id } = acting
      const { confirm_seat, ...profile } = input
      const now = yield* DateTime.now
      const add = (lease: number | undefined) =>
        oncePerRequest(
          "driver",
          atomically(transaction, function* () {
            if (input.active) yield* plans.lock(business_id)
            if (!(yield* lockDefaultCar(business_id, input.default_car_id))) return yield* noSuchCar
            const seat = input.active ? yield* allowOneMore(business_id, confirm_seat, lease) : Option.none()
            const driver = yield* drivers.insert(business_id, profile, now)
            if (Option.isSome(seat)) yield* seats.take(business_id, driver.driver_id, seat.value, now)
            return driverRecord(driver)
          })
        )
      return yield* subscriptions.payingForSeat(business_id, add)
    })

    const createEach = makeBulk(transaction, create)

    /** The payment provider cannot be asked for a seat within the transaction that stores all drivers. */
    const createAll = makeBulk(transaction, (acting: ActingBusiness, input: DriverInput) =>
      input.confirm_seat ? Effect.fail(seatWithinAll()) : create(acting, input)
    )

    return {
      create,

      /** Makes up to 500 drivers, each as `create` does; the result has one entry for each item, in order. */
      createMany: (acting: ActingBusiness, bulk: Bulk<DriverInput>) =>
        "items" in bulk && bulk.all_or_nothing ? createAll(acting, bulk) : createEach(acting, bulk),

      /** The business's drivers by name. */
      list: traced("Drivers.list")(function* (
        acting: ActingBusiness,
        filter: FleetFilter,
        page: PageRequest
      ) {
        return mapPage(yield* drivers.list(acting.business_id, filter, page), driverRecord)
      }),

      get: traced("Drivers.get")(function* (acting: ActingBusiness, driverId: DriverId) {
        return driverRecord(yield* requireDriver(yield* drivers.find(acting.business_id, driverId)))
      }),

      /**
       * Changes the given fields. `PlanLimitExceeded` as in `create`, if the change makes the driver active. A seat
       * that is no longer needed ends. A changed email voids the driver's invitations. A driver with open trips
       * becomes inactive only if `force` confirms it, and keeps these trips.
       */
      update: yield* makeUpdateDriver,

      /**
       * Deletes a driver and unlinks the account; ended trips still name the driver. A seat that is no longer needed
       * ends. Live assignments are cancelled, which `force` has to confirm.
       */
      remove: (acting: ActingBusiness, driverId: DriverId, terms?: DeletionTerms<DriverRecord>) =>
        Effect.withSpan(remove(acting, driverId, terms), "Drivers.remove"),

      /** The driver's busy windows and absences within at most 31 days. */
      availability: traced("Drivers.availability")(function* (
        acting: ActingBusiness,
        driverId: DriverId,
        query: AvailabilityQuery
      ) {
        const days = daysOf(query, yield* DateTime.now, acting.timezone)
        yield* refuseIssues(daysIssues(days))
        yield* requireDriver(yield* drivers.find(acting.business_id, driverId))
        const busy = yield* drivers.busyWindows(acting.business_id, driverId, windowOfDays(days, acting))
        const away = yield* absences.within(acting.business_id, driverId, windowOfDays(days, acting))
        return availabilityRecord(driverId, days, busy, away)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Drivers, Drivers.make).pipe(Layer.provide(SeatSubscriptions.layer))
}
