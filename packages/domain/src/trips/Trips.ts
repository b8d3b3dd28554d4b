/** The use cases of trips (docs/api/trips.md). */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { forReader } from "../business/CurrentRole.ts"
import { ConfirmationRequired, orNotFound } from "../kernel/Errors.ts"
import type { TripId } from "../kernel/Ids.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { isLive } from "./trip/Assignment.ts"
import { makeBookTrip, makeLockReferences, hasNoReferences } from "./TripCreation.ts"
import { makeCheckTrip } from "./schedule/Clashes.ts"
import { timelineRecord } from "./timeline/Timeline.ts"
import { TimelineRepository } from "./timeline/TimelineRepository.ts"
import { type Trip, tripRecord, type TripRecord } from "./trip/Trip.ts"
import { TripCharges } from "./trip/TripCharges.ts"
import { draftOfCopy, draftOfInput } from "./trip/TripEdit.ts"
import type { TripInput, TripOverrides, TripReopening } from "./trip/TripInput.ts"
import { TripRepository } from "./trip/TripRepository.ts"
import { checksOfChange, reopened, requireReopenable, withStatus } from "./changes/TripRules.ts"
import { isOpenTrip } from "./trip/TripStatus.ts"
import { TripUnitOfWork } from "./changes/TripUnitOfWork.ts"
import { makeUpdateTrip } from "./TripUpdate.ts"
import { makeBulk } from "../kernel/Bulk.ts"
import { traced } from "../kernel/TracedFunction.ts"

/**
 * `force` confirms deleting a trip that has live assignments or is on an invoice; `precondition` checks the trip before
 * it is deleted.
 */
export interface RemovalTerms {
  readonly force?: boolean
  readonly precondition?: Precondition<TripRecord>
}

/** `NotFound` if the trip is absent or another business's; `Conflict` if the precondition fails. */
export class Trips extends Context.Service<Trips>()("@livery/domain/Trips", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const trips = yield* TripRepository
    const timelines = yield* TimelineRepository
    const unitOfWork = yield* TripUnitOfWork
    const charges = yield* TripCharges
    const lockReferences = yield* makeLockReferences
    const book = yield* makeBookTrip
    const checkTrip = yield* makeCheckTrip

    /**
     * Books a trip and sends `trip.created`. The status is `confirmed`, or `pending` with `confirmationRequired`.
     * The trip is linked to the customer with its `customer_id`, or else with its `customer_email`. `InvalidInput`
     * for a price with more decimals than the currency, and for a car, a customer or a linked trip that the business
     * does not have; an inactive car counts as absent. `Conflict` if another trip has the `external_ref`.
     * `ConfirmationRequired` for a clash of the car if the business enforces its clash policy, unless `force` is
     * true.
     */
    const create = traced("Trips.create")(function* (
      acting: ActingBusiness,
      input: TripInput,
      { confirmationRequired }: { readonly confirmationRequired?: boolean } = {}
    ) {
      const draft = draftOfInput(acting, input, confirmationRequired)
      return yield* transaction.run(book(acting, draft, { force: input.force }), {
        isOneStatement: hasNoReferences(draft.result)
      })
    })

    return {
      create,

      /** Makes up to 500 trips, each as `create` does; the result has one entry for each item, in order. */
      createMany: makeBulk(transaction, (acting: ActingBusiness, input: TripInput) => create(acting, input)),

      /** One trip of the acting business. */
      get: traced("Trips.get")(function* (acting: ActingBusiness, tripId: TripId) {
        const trip = yield* orNotFound("trip")(yield* trips.find(acting.business_id, tripId))
        return yield* forReader("operations", tripRecord(trip, acting.timezone))
      }),

      /**
       * Changes the given fields, and the status as an operator may. A change to the current values has no effect. The
       * result has the clashes of the drivers and the car if the time changes, and those of the car if only the car
       * changes. `ConfirmationRequired` for such a clash if the business enforces its clash policy, unless `force` is
       * true. `InvalidInput` for fields that cannot change once the trip has ended.
       */
      update: yield* makeUpdateTrip,

      /**
       * Cancels the trip if it has not ended, deletes it, and returns it as it was before. `ConfirmationRequired`
       * while it has live assignments or is on an invoice, unless `force` is true.
       */
      remove: traced("Trips.remove")(function* (
        acting: ActingBusiness,
        tripId: TripId,
        { force = false, precondition = unconditional }: RemovalTerms = {}
      ) {
        return yield* atomically(transaction, function* () {
          const trip = yield* unitOfWork.lock(acting, tripId)
          const record = tripRecord(trip, acting.timezone)
          yield* precondition(record)
          const atStake = [
            ...trip.drivers.filter(isLive).map(({ driver_id }) => ({ type: "assignment", driver_id })),
            ...(trip.invoice_id === null ? [] : [{ type: "invoice", invoice_id: trip.invoice_id }])
          ]
          if (atStake.length > 0 && !force)
            return yield* new ConfirmationRequired({
              reason: "The trip has live assignments, or it is on an invoice",
              atStake
            })
          // This cannot fail: the transition table lets an operator cancel every open trip.
          const ended = isOpenTrip(trip.status)
            ? yield* Effect.orDie(withStatus(trip, "cancelled", "operator"))
            : trip
          yield* unitOfWork.commit(acting, trip, { ...ended, deleted_at: yield* DateTime.now }, "operator")
          return record
        })
      }),

      /**
       * Books a copy of the trip, with the given fields replaced; fails as `create` does for those fields. The copy
       * drops a car or a customer that was deleted or is inactive, and has the price from before the end of the trip.
       */
      duplicate: traced("Trips.duplicate")(function* (
        acting: ActingBusiness,
        tripId: TripId,
        overrides: TripOverrides
      ) {
        return yield* atomically(transaction, function* () {
          const stored = yield* orNotFound("trip")(yield* trips.find(acting.business_id, tripId))
          // What waiting or a longer time added to the price at the end is not a part of the new booking.
          const trip = yield* charges.withoutFinalPrice(stored)
          const { issues, result: draft } = draftOfCopy(acting, trip, overrides)
          // A new email links the copy to the customer with that email, as on `create`.
          const isReaddressed =
            overrides.customer_id === undefined && draft.customer_email !== trip.customer_email
          const result = isReaddressed ? { ...draft, customer_id: null } : draft
          return yield* book(acting, { result, issues }, { force: overrides.force === true, sent: overrides })
        })
      }),

      /**
       * Makes an ended trip confirmed again, with the reason in its timeline. Its assignments stay ended. The trip
       * keeps its car and its customer unless they were deleted or the car is inactive. `IllegalTransition` unless the
       * trip has ended, `Conflict` if it is on an invoice, `ConfirmationRequired` as in `create`.
       */
      reopen: traced("Trips.reopen")(function* (
        acting: ActingBusiness,
        tripId: TripId,
        { force, reason }: TripReopening
      ) {
        return yield* atomically(transaction, function* () {
          const { car_id, customer_id } = yield* orNotFound("trip")(
            yield* trips.find(acting.business_id, tripId)
          )
          const locked = yield* lockReferences(acting, { car_id, customer_id })
          const before = yield* unitOfWork.lock(acting, tripId)
          yield* requireReopenable(before)
          const wanted: Trip = {
            ...reopened(before),
            // A reference to a record that was deleted or deactivated since the trip ended is dropped.
            car_id: locked.hasCar && before.car_id === car_id ? car_id : null,
            customer_id: locked.hasCustomer && before.customer_id === customer_id ? customer_id : null
          }
          const warnings = yield* checkTrip(acting.timezone, wanted, checksOfChange(before, wanted), force)
          const after = yield* unitOfWork.commit(acting, before, wanted, "operator", { reason })
          return { ...tripRecord(after, acting.timezone), warnings }
        })
      }),

      /** Every change of the trip, the oldest first. */
      timeline: traced("Trips.timeline")(function* (
        acting: ActingBusiness,
        tripId: TripId,
        page: PageRequest
      ) {
        return mapPage(
          yield* orNotFound("trip")(yield* timelines.list(acting.business_id, tripId, page)),
          timelineRecord
        )
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Trips, Trips.make).pipe(Layer.provide(TripUnitOfWork.layer))
}
