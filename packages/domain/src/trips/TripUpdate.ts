/** Changing the fields and the status of a trip, as an operator may. */
import { Effect } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { refuseIssues } from "../kernel/Errors.ts"
import type { TripId } from "../kernel/Ids.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import { Transaction } from "../kernel/Transaction.ts"
import {
  externalRefTaken,
  customerFieldsFrom,
  makeLockReferences,
  missingReferences
} from "./TripCreation.ts"
import { makeCheckTrip } from "./schedule/Clashes.ts"
import { tripRecord, type TripRecord } from "./trip/Trip.ts"
import { withTripCar } from "./schedule/TripCars.ts"
import { withChanges } from "./trip/TripEdit.ts"
import type { TripChanges } from "./trip/TripInput.ts"
import { checksOfChange, requireInvoicedPrice, withStatus } from "./changes/TripRules.ts"
import { isOpenTrip } from "./trip/TripStatus.ts"
import { TripUnitOfWork } from "./changes/TripUnitOfWork.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** Builds `Trips.update`. */
export const makeUpdateTrip = Effect.gen(function* () {
  const transaction = yield* Transaction
  const unitOfWork = yield* TripUnitOfWork
  const lockReferences = yield* makeLockReferences
  const checkTrip = yield* makeCheckTrip

  return traced("Trips.update")(function* (
    acting: ActingBusiness,
    tripId: TripId,
    changes: TripChanges,
    precondition: Precondition<TripRecord> = unconditional
  ) {
    return yield* transaction.run(
      Effect.gen(function* () {
        const { cancel_reason: reason, customer_email, customer_id, force, status } = changes
        const locked = yield* lockReferences(acting, changes)
        const before = yield* unitOfWork.lock(acting, tripId)
        yield* precondition(tripRecord(before, acting.timezone))
        // A new email without a `customer_id` links the trip to the customer with that email, as on `create`.
        const isReaddressed = customer_email !== undefined && customer_email !== before.customer_email
        const linked =
          customer_id === undefined && isReaddressed
            ? { ...changes, customer_id: locked.customerIdByEmail }
            : changes
        const completed = isOpenTrip(before.status)
          ? { ...linked, ...customerFieldsFrom(locked.customer, { ...before, ...changes }, changes) }
          : linked
        const edit = withChanges(acting, before, completed)
        const { feeMinor, trip } = edit.result
        const reported = new Set(edit.issues.map(({ field }) => field))
        const issues = [
          ...edit.issues,
          // The trip may keep a reference to a record that is inactive or deleted meanwhile.
          ...missingReferences({
            hasCar: locked.hasCar || trip.car_id === before.car_id || reported.has("car_id"),
            hasCustomer:
              locked.hasCustomer || trip.customer_id === before.customer_id || reported.has("customer_id"),
            hasLinkedTrip:
              (locked.hasLinkedTrip && trip.linked_trip_id !== tripId) ||
              trip.linked_trip_id === before.linked_trip_id ||
              reported.has("linked_trip_id")
          })
        ]
        yield* refuseIssues(issues, edit.advice)
        yield* requireInvoicedPrice(before, trip)
        if (locked.tripWithExternalRef !== null && locked.tripWithExternalRef !== tripId)
          return yield* externalRefTaken(locked.tripWithExternalRef)
        const driven = withTripCar(before, trip)
        const wanted =
          status === undefined ? driven : yield* withStatus(driven, status, "operator", { feeMinor, reason })
        const warnings = yield* checkTrip(
          acting.timezone,
          wanted,
          checksOfChange(before, wanted),
          force === true
        )
        const after = yield* unitOfWork.commit(acting, before, wanted, "operator")
        return { ...tripRecord(after, acting.timezone), warnings }
      })
    )
  })
})
