/** Changing a driver. */
import { DateTime, Effect, Equal, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { PlanRepository } from "../business/PlanRepository.ts"
import { orNotFound } from "../kernel/Errors.ts"
import type { DriverId } from "../kernel/Ids.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { openTripsConfirmation } from "../trips/trip/Deletion.ts"
import { Detaching } from "../trips/assignments/Detaching.ts"
import { makeLockDefaultCar, noSuchCar } from "./cars/DefaultCarLock.ts"
import { type Driver, type DriverChanges, driverRecord, type DriverRecord } from "./drivers/Driver.ts"
import { DriverInvitationRepository } from "./invitations/DriverInvitationRepository.ts"
import { DriverRepository } from "./drivers/DriverRepository.ts"
import { makeDriverSeats } from "./seats/DriverSeats.ts"
import { SeatRepository } from "./seats/SeatRepository.ts"
import { SeatSubscriptions } from "./seats/SeatSubscriptions.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** Builds `Drivers.update`. */
export const makeUpdateDriver = Effect.gen(function* () {
  const transaction = yield* Transaction
  const plans = yield* PlanRepository
  const drivers = yield* DriverRepository
  const seats = yield* SeatRepository
  const subscriptions = yield* SeatSubscriptions
  const invitations = yield* DriverInvitationRepository
  const detaching = yield* Detaching
  const lockDefaultCar = yield* makeLockDefaultCar
  const { allowOneMore, endSurplus } = yield* makeDriverSeats

  /** Stores the changed profile of a locked driver, and adjusts seats and invitations. */
  const change = Effect.fnUntraced(function* (
    current: Driver,
    after: Driver,
    confirmSeat: boolean,
    lease: number | undefined
  ) {
    const { business_id, driver_id } = current
    const now = yield* DateTime.now
    const seat =
      after.active && !current.active ? yield* allowOneMore(business_id, confirmSeat, lease) : Option.none()
    const driver = yield* drivers.update(business_id, driver_id, after, now)
    if (Option.isSome(seat)) yield* seats.take(business_id, driver_id, seat.value, now)
    if (current.active && !after.active) yield* endSurplus(business_id, driver_id)
    if (current.email !== after.email) yield* invitations.void(business_id, driver_id)
    return driver
  })

  return traced("Drivers.update")(function* (
    acting: ActingBusiness,
    driverId: DriverId,
    { confirm_seat, force, ...changes }: DriverChanges,
    precondition: Precondition<DriverRecord> = unconditional
  ) {
    const { business_id } = acting
    const apply = (lease: number | undefined) =>
      atomically(transaction, function* () {
        // Every use case locks in this order: the plan, the car, the driver.
        if (changes.active !== undefined) yield* plans.lock(business_id)
        const hasCar = yield* lockDefaultCar(business_id, changes.default_car_id)
        // While the driver becomes inactive, no trip can be given to the driver.
        const lock = changes.active === false ? drivers.lockForDelete : drivers.lock
        const current = yield* orNotFound("driver")(yield* lock(business_id, driverId))
        yield* precondition(driverRecord(current))
        const after = { ...current, ...changes }
        if (!hasCar && after.default_car_id !== current.default_car_id) return yield* noSuchCar
        if (current.active && !after.active && force !== true) {
          const open = yield* detaching.openTripsOfDriver(business_id, driverId)
          if (open.length > 0) return yield* openTripsConfirmation("driver", open)
        }
        return driverRecord(
          Equal.equals(after, current) ? current : yield* change(current, after, confirm_seat, lease)
        )
      })
    return yield* subscriptions.payingForSeat(business_id, apply)
  })
})
