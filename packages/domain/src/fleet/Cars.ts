/** What a business does with its cars (specification, Dispatch and fleet). */
import { Context, DateTime, Effect, Equal, Layer, type Option, Result } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { PlanRepository } from "../business/PlanRepository.ts"
import { allowCar } from "../business/PlanAllowance.ts"
import {
  type Conflict,
  type ConfirmationRequired,
  NotFound,
  type UsageLimitReached
} from "../kernel/Errors.ts"
import type { CarId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { Withdrawals } from "../trips/Withdrawals.ts"
import { type CarChanges, type CarInput, carRecord, type CarRecord, type FleetFilter } from "./Car.ts"
import { deletion, type DeletionTerms } from "./Deletion.ts"
import { FleetCarRepository } from "./FleetCarRepository.ts"

/**
 * - `create`: a new car; `UsageLimitReached` if it is active and the plan's cars are used up, also of several at
 *   once.
 * - `list`, `get`: the business's cars by name, and one of them.
 * - `update`: changes what is told and nothing else; `UsageLimitReached` as on creation, if it makes a car active.
 * - `remove`: deletes a car; the trips that were driven with it still tell so. Open trips lose it, once that is
 *   confirmed by `force`, and send `trip.updated`.
 *
 * `NotFound` where the car is absent or another business's; `Conflict` where a precondition does not hold.
 */
export class Cars extends Context.Service<
  Cars,
  {
    readonly create: (acting: ActingBusiness, input: CarInput) => Effect.Effect<CarRecord, UsageLimitReached>
    readonly list: (
      acting: ActingBusiness,
      filter: FleetFilter,
      page: PageRequest
    ) => Effect.Effect<Page<CarRecord>>
    readonly get: (acting: ActingBusiness, carId: CarId) => Effect.Effect<CarRecord, NotFound>
    readonly update: (
      acting: ActingBusiness,
      carId: CarId,
      changes: CarChanges,
      precondition?: Precondition<CarRecord>
    ) => Effect.Effect<CarRecord, NotFound | Conflict | UsageLimitReached>
    readonly remove: (
      acting: ActingBusiness,
      carId: CarId,
      terms?: DeletionTerms<CarRecord>
    ) => Effect.Effect<CarRecord, NotFound | Conflict | ConfirmationRequired>
  }
>()("@livery/domain/Cars") {
  static readonly layer = Layer.effect(
    Cars,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const plans = yield* PlanRepository
      const cars = yield* FleetCarRepository
      const withdrawals = yield* Withdrawals

      const present = <A>(found: Option.Option<A>): Effect.Effect<A, NotFound> =>
        Effect.mapError(Effect.fromOption(found), () => new NotFound({ resource: "car" }))

      /** Holds the plan, and asks it for one more active car. */
      const roomForOne = Effect.fnUntraced(function* ({ business_id }: ActingBusiness) {
        const plan = yield* plans.hold(business_id)
        yield* Effect.fromResult(
          allowCar(plan, plan.cars === null ? 0 : yield* cars.countActive(business_id))
        )
      })

      const create = Effect.fn("Cars.create")(function* (acting: ActingBusiness, input: CarInput) {
        const now = yield* DateTime.now
        return yield* transaction.run(
          Effect.gen(function* () {
            if (input.active) yield* roomForOne(acting)
            return carRecord(yield* cars.insert(acting.business_id, input, now))
          })
        )
      })

      const list = Effect.fn("Cars.list")(function* (
        acting: ActingBusiness,
        filter: FleetFilter,
        page: PageRequest
      ) {
        const found = yield* cars.list(acting.business_id, filter, page)
        return { ...found, items: found.items.map(carRecord) }
      })

      const get = Effect.fn("Cars.get")(function* (acting: ActingBusiness, carId: CarId) {
        return carRecord(yield* present(yield* cars.find(acting.business_id, carId)))
      })

      const update = Effect.fn("Cars.update")(function* (
        acting: ActingBusiness,
        carId: CarId,
        changes: CarChanges,
        precondition: Precondition<CarRecord> = unconditional
      ) {
        const { business_id } = acting
        const now = yield* DateTime.now
        return yield* transaction.run(
          Effect.gen(function* () {
            const room = changes.active === true ? yield* Effect.result(roomForOne(acting)) : Result.void
            const current = yield* present(yield* cars.hold(business_id, carId))
            yield* precondition(carRecord(current))
            if (!current.active) yield* Effect.fromResult(room)
            const standing = { ...current, ...changes }
            return carRecord(
              Equal.equals(standing, current)
                ? current
                : yield* cars.update(business_id, carId, standing, now)
            )
          })
        )
      })

      const remove = deletion(transaction, {
        resource: "car",
        record: carRecord,
        // The drivers before the trips, which others hold in that order too.
        holdAlone: ({ business_id }: ActingBusiness, carId: CarId) =>
          Effect.tap(cars.holdAlone(business_id, carId), () => cars.disown(business_id, carId)),
        openTrips: ({ business_id }, carId) => withdrawals.openTripsOfCar(business_id, carId),
        withdraw: withdrawals.withdrawCar,
        remove: Effect.fnUntraced(function* ({ business_id }: ActingBusiness, carId: CarId) {
          yield* cars.remove(business_id, carId, yield* DateTime.now)
        })
      })

      return Cars.of({
        create,
        list,
        get,
        update,
        remove: (acting, carId, terms) => Effect.withSpan(remove(acting, carId, terms), "Cars.remove")
      })
    })
  )
}
