/** What a business does with its drivers (specification, Dispatch and fleet). */
import { Context, DateTime, Effect, Equal, Layer, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { PlanRepository } from "../business/PlanRepository.ts"
import { allowDriver, surplusSeats } from "../business/PlanAllowance.ts"
import { CredentialCache } from "../identity/CredentialCache.ts"
import {
  type Conflict,
  type ConfirmationRequired,
  InvalidInput,
  NotFound,
  type PlanLimitExceeded
} from "../kernel/Errors.ts"
import type { BusinessId, CarId, DriverId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { CarRepository } from "../trips/TripRepository.ts"
import { Withdrawals } from "../trips/Withdrawals.ts"
import type { FleetFilter } from "./Car.ts"
import {
  availabilityRecord,
  type AvailabilityQuery,
  type AvailabilityRecord,
  daysIssues,
  daysOf,
  spanOf
} from "./Availability.ts"
import { deletion, type DeletionTerms } from "./Deletion.ts"
import {
  type Driver,
  type DriverChanges,
  type DriverInput,
  driverRecord,
  type DriverRecord
} from "./Driver.ts"
import { DriverInvitationRepository } from "./DriverInvitation.ts"
import { DriverRepository, SeatRepository } from "./DriverRepository.ts"

/**
 * - `create`: a new driver. If it is active and the plan's drivers are used up, `PlanLimitExceeded`, or a seat of its
 *   own, if that was confirmed and the plan sells seats; exact also of several at once.
 * - `list`, `get`: the business's drivers by name, and one of them.
 * - `update`: changes what is told and nothing else; `PlanLimitExceeded` as on creation, if it makes a driver active.
 *   A seat that is no longer needed ends. An invitation to an email that is the driver's no more is void.
 * - `remove`: deletes a driver; the trips that it drove still tell so, its account drives no more, and a seat that
 *   is no longer needed ends. Its live assignments are cancelled, once that is confirmed by `force`.
 * - `availability`: when the driver is taken within at most 31 days.
 *
 * `NotFound` where the driver is absent or another business's; `InvalidInput` for a car that the business does not
 * have or that is not active; `Conflict` where a precondition does not hold.
 */
export class Drivers extends Context.Service<
  Drivers,
  {
    readonly create: (
      acting: ActingBusiness,
      input: DriverInput
    ) => Effect.Effect<DriverRecord, InvalidInput | PlanLimitExceeded>
    readonly list: (
      acting: ActingBusiness,
      filter: FleetFilter,
      page: PageRequest
    ) => Effect.Effect<Page<DriverRecord>>
    readonly get: (acting: ActingBusiness, driverId: DriverId) => Effect.Effect<DriverRecord, NotFound>
    readonly update: (
      acting: ActingBusiness,
      driverId: DriverId,
      changes: DriverChanges,
      precondition?: Precondition<DriverRecord>
    ) => Effect.Effect<DriverRecord, NotFound | Conflict | InvalidInput | PlanLimitExceeded>
    readonly remove: (
      acting: ActingBusiness,
      driverId: DriverId,
      terms?: DeletionTerms<DriverRecord>
    ) => Effect.Effect<DriverRecord, NotFound | Conflict | ConfirmationRequired>
    readonly availability: (
      acting: ActingBusiness,
      driverId: DriverId,
      query: AvailabilityQuery
    ) => Effect.Effect<AvailabilityRecord, NotFound | InvalidInput>
  }
>()("@livery/domain/Drivers") {
  static readonly layer = Layer.effect(
    Drivers,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const plans = yield* PlanRepository
      const drivers = yield* DriverRepository
      const seats = yield* SeatRepository
      const cars = yield* CarRepository
      const invitations = yield* DriverInvitationRepository
      const withdrawals = yield* Withdrawals
      const credentials = yield* CredentialCache

      const present = <A>(found: Option.Option<A>): Effect.Effect<A, NotFound> =>
        Effect.mapError(Effect.fromOption(found), () => new NotFound({ resource: "driver" }))

      const carIsHeld = (businessId: BusinessId, carId: CarId | null | undefined) =>
        carId === null || carId === undefined ? Effect.succeed(true) : cars.hold(businessId, carId)

      const noSuchCar = new InvalidInput({ issues: [{ field: "default_car_id", issue: "not_found" }] })

      /** The price of the seat that one more active driver needs, if it needs one. */
      const roomForOne = Effect.fnUntraced(function* (businessId: BusinessId, confirmSeat: boolean) {
        const plan = yield* plans.hold(businessId)
        return yield* Effect.fromResult(allowDriver(plan, yield* seats.count(businessId), confirmSeat))
      })

      /** Ends the seats that are needed no more, that of the one who left before others. */
      const settleSeats = Effect.fnUntraced(function* (businessId: BusinessId, left: DriverId) {
        const surplus = surplusSeats(yield* plans.hold(businessId), yield* seats.count(businessId))
        if (surplus > 0) yield* seats.end(businessId, surplus, left, yield* DateTime.now)
      })

      const create = Effect.fn("Drivers.create")(function* (acting: ActingBusiness, input: DriverInput) {
        const { business_id } = acting
        const { confirm_seat, ...profile } = input
        const now = yield* DateTime.now
        return yield* transaction.run(
          Effect.gen(function* () {
            if (input.active) yield* plans.hold(business_id)
            if (!(yield* carIsHeld(business_id, input.default_car_id))) return yield* noSuchCar
            const seat = input.active ? yield* roomForOne(business_id, confirm_seat) : Option.none()
            const driver = yield* drivers.insert(business_id, profile, now)
            if (Option.isSome(seat)) yield* seats.take(business_id, driver.driver_id, seat.value, now)
            return driverRecord(driver)
          })
        )
      })

      const list = Effect.fn("Drivers.list")(function* (
        acting: ActingBusiness,
        filter: FleetFilter,
        page: PageRequest
      ) {
        const found = yield* drivers.list(acting.business_id, filter, page)
        return { ...found, items: found.items.map(driverRecord) }
      })

      const get = Effect.fn("Drivers.get")(function* (acting: ActingBusiness, driverId: DriverId) {
        return driverRecord(yield* present(yield* drivers.find(acting.business_id, driverId)))
      })

      /** Stores how a held driver stands from now on, and what follows from it. */
      const change = Effect.fnUntraced(function* (current: Driver, standing: Driver, confirmSeat: boolean) {
        const { business_id, driver_id } = current
        const now = yield* DateTime.now
        const seat =
          standing.active && !current.active ? yield* roomForOne(business_id, confirmSeat) : Option.none()
        const driver = yield* drivers.update(business_id, driver_id, standing, now)
        if (Option.isSome(seat)) yield* seats.take(business_id, driver_id, seat.value, now)
        if (current.active && !standing.active) yield* settleSeats(business_id, driver_id)
        if (current.email !== standing.email) yield* invitations.void(business_id, driver_id)
        return driver
      })

      const update = Effect.fn("Drivers.update")(function* (
        acting: ActingBusiness,
        driverId: DriverId,
        { confirm_seat, ...changes }: DriverChanges,
        precondition: Precondition<DriverRecord> = unconditional
      ) {
        const { business_id } = acting
        return yield* transaction.run(
          Effect.gen(function* () {
            // The plan, then the car, then the driver: whoever holds several holds them in this order.
            if (changes.active !== undefined) yield* plans.hold(business_id)
            const hasCar = yield* carIsHeld(business_id, changes.default_car_id)
            const current = yield* present(yield* drivers.hold(business_id, driverId))
            yield* precondition(driverRecord(current))
            const standing = { ...current, ...changes }
            if (!hasCar && standing.default_car_id !== current.default_car_id) return yield* noSuchCar
            return driverRecord(
              Equal.equals(standing, current) ? current : yield* change(current, standing, confirm_seat)
            )
          })
        )
      })

      const remove = deletion(transaction, {
        resource: "driver",
        record: driverRecord,
        holdAlone: ({ business_id }: ActingBusiness, driverId: DriverId) =>
          Effect.andThen(plans.hold(business_id), drivers.holdAlone(business_id, driverId)),
        openTrips: ({ business_id }, driverId) => withdrawals.openTripsOfDriver(business_id, driverId),
        withdraw: withdrawals.withdrawDriver,
        remove: Effect.fnUntraced(function* (
          { business_id }: ActingBusiness,
          driverId: DriverId,
          driver: Driver
        ) {
          yield* drivers.remove(business_id, driverId, yield* DateTime.now)
          if (driver.active) yield* settleSeats(business_id, driverId)
          if (driver.user_id !== null) yield* transaction.afterCommit(credentials.invalidateAll)
        })
      })

      const availability = Effect.fn("Drivers.availability")(function* (
        acting: ActingBusiness,
        driverId: DriverId,
        query: AvailabilityQuery
      ) {
        const days = daysOf(query, yield* DateTime.now, acting.timezone)
        const issues = daysIssues(days)
        if (issues.length > 0) return yield* new InvalidInput({ issues })
        yield* present(yield* drivers.find(acting.business_id, driverId))
        const { before, from } = spanOf(days, acting)
        return availabilityRecord(
          driverId,
          days,
          yield* drivers.busy(acting.business_id, driverId, from, before)
        )
      })

      return Drivers.of({
        create,
        list,
        get,
        update,
        remove: (acting, driverId, terms) =>
          Effect.withSpan(remove(acting, driverId, terms), "Drivers.remove"),
        availability
      })
    })
  )
}
