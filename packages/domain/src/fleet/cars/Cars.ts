/** The use cases of cars (docs/api/fleet.md). */
import { Context, DateTime, Effect, Equal, Layer, Result } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { PlanRepository } from "../../business/PlanRepository.ts"
import { allowCar } from "../../business/PlanAllowance.ts"
import { orNotFound } from "../../kernel/Errors.ts"
import type { CarId } from "../../kernel/Ids.ts"
import { mapPage, type PageRequest } from "../../kernel/Page.ts"
import { type Precondition, unconditional } from "../../kernel/Precondition.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { makeDeletion, type DeletionTerms } from "../../trips/trip/Deletion.ts"
import { Detaching } from "../../trips/assignments/Detaching.ts"
import { type CarChanges, type CarInput, carRecord, type CarRecord, type FleetFilter } from "./Car.ts"
import { CarRepository } from "./CarRepository.ts"
import { makeBulk } from "../../kernel/Bulk.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** `NotFound` if the car is absent or another business's; `Conflict` if the precondition fails. */
export class Cars extends Context.Service<Cars>()("@livery/domain/Cars", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const plans = yield* PlanRepository
    const cars = yield* CarRepository
    const detaching = yield* Detaching

    const requireCar = orNotFound("car")

    /** Locks the plan and checks that it allows one more active car. */
    const allowOneMore = Effect.fnUntraced(function* ({ business_id }: ActingBusiness) {
      const plan = yield* plans.lock(business_id)
      yield* Effect.fromResult(allowCar(plan, plan.cars === null ? 0 : yield* cars.countActive(business_id)))
    })

    const remove = makeDeletion(transaction, {
      resource: "car",
      record: carRecord,
      // Locks the drivers before the trips, as all other use cases do.
      lockForDelete: ({ business_id }: ActingBusiness, carId: CarId) =>
        Effect.tap(cars.lockForDelete(business_id, carId), () => cars.clearDefaultCar(business_id, carId)),
      openTrips: ({ business_id }, carId) => detaching.openTripsOfCar(business_id, carId),
      detach: detaching.detachCar,
      remove: Effect.fnUntraced(function* ({ business_id }: ActingBusiness, carId: CarId) {
        yield* cars.remove(business_id, carId, yield* DateTime.now)
      })
    })

    /**
     * Adds a car. `UsageLimitReached` if it is active and the plan allows no further active car; exact for
     * concurrent calls too.
     */
    const create = traced("Cars.create")(function* (acting: ActingBusiness, input: CarInput) {
      const now = yield* DateTime.now
      return yield* atomically(transaction, function* () {
        if (input.active) yield* allowOneMore(acting)
        return carRecord(yield* cars.insert(acting.business_id, input, now))
      })
    })

    return {
      create,

      /** Makes up to 500 cars, each as `create` does; the result has one entry for each item, in order. */
      createMany: makeBulk(transaction, create),

      /** The business's cars by name. */
      list: traced("Cars.list")(function* (acting: ActingBusiness, filter: FleetFilter, page: PageRequest) {
        return mapPage(yield* cars.list(acting.business_id, filter, page), carRecord)
      }),

      get: traced("Cars.get")(function* (acting: ActingBusiness, carId: CarId) {
        return carRecord(yield* requireCar(yield* cars.find(acting.business_id, carId)))
      }),

      /** Changes the given fields. `UsageLimitReached` as in `create`, if the change makes the car active. */
      update: traced("Cars.update")(function* (
        acting: ActingBusiness,
        carId: CarId,
        changes: CarChanges,
        precondition: Precondition<CarRecord> = unconditional
      ) {
        const { business_id } = acting
        const now = yield* DateTime.now
        return yield* atomically(transaction, function* () {
          const allowance = changes.active === true ? yield* Effect.result(allowOneMore(acting)) : Result.void
          const current = yield* requireCar(yield* cars.lock(business_id, carId))
          yield* precondition(carRecord(current))
          if (!current.active) yield* Effect.fromResult(allowance)
          const after = { ...current, ...changes }
          return carRecord(
            Equal.equals(after, current) ? current : yield* cars.update(business_id, carId, after, now)
          )
        })
      }),

      /**
       * Deletes a car. Ended trips still refer to it. Open trips lose it, which `force` has to confirm, and send
       * `trip.updated`.
       */
      remove: (acting: ActingBusiness, carId: CarId, terms?: DeletionTerms<CarRecord>) =>
        Effect.withSpan(remove(acting, carId, terms), "Cars.remove")
    }
  })
}) {
  static readonly layer = Layer.effect(Cars, Cars.make)
}
