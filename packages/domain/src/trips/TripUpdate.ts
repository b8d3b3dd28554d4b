/** Changing the fields and the status of a trip, as an operator may. */
import { Effect } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { refuseIssues } from "../kernel/Errors.ts"
import type { TripId } from "../kernel/Ids.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import {
  externalRefTaken,
  customerFieldsFrom,
  type LockedReferences,
  makeLockReferences,
  missingReferences
} from "./TripCreation.ts"
import { makeCheckTrip } from "./schedule/Clashes.ts"
import { type Trip, tripRecord, type TripRecord } from "./trip/Trip.ts"
import { TripCharges } from "./trip/TripCharges.ts"
import { withTripCar } from "./schedule/TripCars.ts"
import { type Edited, type FieldChange, withChanges } from "./trip/TripEdit.ts"
import type { TripChanges } from "./trip/TripInput.ts"
import { checksOfChange, requireInvoicedPrice, withStatus } from "./changes/TripRules.ts"
import { isOpenTrip } from "./trip/TripStatus.ts"
import { TripUnitOfWork } from "./changes/TripUnitOfWork.ts"
import { traced } from "../kernel/TracedFunction.ts"

/**
 * The changes, with the customer that the sent email names and the fields that the customer's record fills in. A new email
 * without a `customer_id` links the trip to the customer with that email, as on `create`. A trip that has ended is not
 * filled in.
 */
const completedChanges = (before: Trip, changes: TripChanges, locked: LockedReferences): TripChanges => {
  const { customer_email, customer_id } = changes
  const isReaddressed = customer_email !== undefined && customer_email !== before.customer_email
  return {
    ...changes,
    ...(customer_id === undefined && isReaddressed ? { customer_id: locked.customerIdByEmail } : {}),
    ...(isOpenTrip(before.status)
      ? customerFieldsFrom(locked.customer, { ...before, ...changes }, changes)
      : {})
  }
}

/**
 * The issues of the references that the change adds to a trip. The trip may keep a reference to a record that was
 * deactivated or deleted meanwhile. A reference that is in `reported` has an issue already.
 */
const newReferenceIssues = (
  before: Trip,
  trip: Trip,
  { hasCar, hasCustomer, hasLinkedTrip }: LockedReferences,
  reported: ReadonlySet<string>
) => {
  const isAccepted = (field: "car_id" | "customer_id" | "linked_trip_id") =>
    trip[field] === before[field] || reported.has(field)
  return missingReferences({
    hasCar: hasCar || isAccepted("car_id"),
    hasCustomer: hasCustomer || isAccepted("customer_id"),
    hasLinkedTrip: (hasLinkedTrip && trip.linked_trip_id !== trip.trip_id) || isAccepted("linked_trip_id")
  })
}

/**
 * The trip with the changed fields, and the fields that prevent the change. `locked` has the records that the changes refer to.
 * Drivers take the trip's car as `withTripCar` says.
 */
export const editOf = (
  acting: ActingBusiness,
  before: Trip,
  changes: TripChanges,
  locked: LockedReferences
): Edited<FieldChange> => {
  const edit = withChanges(acting, before, completedChanges(before, changes, locked))
  const { trip } = edit.result
  const reported = new Set(edit.issues.map(({ field }) => field))
  return {
    ...edit,
    result: { ...edit.result, trip: withTripCar(before, trip) },
    issues: [...edit.issues, ...newReferenceIssues(before, trip, locked, reported)]
  }
}

/** Builds `Trips.update`. */
export const makeUpdateTrip = Effect.gen(function* () {
  const transaction = yield* Transaction
  const unitOfWork = yield* TripUnitOfWork
  const lockReferences = yield* makeLockReferences
  const checkTrip = yield* makeCheckTrip
  const charges = yield* TripCharges

  return traced("Trips.update")(function* (
    acting: ActingBusiness,
    tripId: TripId,
    changes: TripChanges,
    precondition: Precondition<TripRecord> = unconditional
  ) {
    return yield* atomically(transaction, function* () {
      const { cancel_reason: reason, force, status } = changes
      const locked = yield* lockReferences(acting, changes)
      const before = yield* unitOfWork.lock(acting, tripId)
      yield* precondition(tripRecord(before, acting.timezone))
      const { advice, issues, result } = editOf(acting, before, changes, locked)
      const { feeMinor, trip: driven } = result
      yield* refuseIssues(issues, advice)
      yield* requireInvoicedPrice(before, driven)
      if (locked.tripWithExternalRef !== null && locked.tripWithExternalRef !== tripId)
        return yield* externalRefTaken(locked.tripWithExternalRef)
      const wanted =
        status === undefined ? driven : yield* withStatus(driven, status, "operator", { feeMinor, reason })
      const warnings = yield* checkTrip(
        acting.timezone,
        wanted,
        checksOfChange(before, wanted),
        force === true
      )
      const after = yield* unitOfWork.commit(acting, before, wanted, "operator")
      const isOutdated = (yield* charges.outdatedPrices(acting, [{ before, after }])).size > 0
      return {
        ...tripRecord(after, acting.timezone),
        warnings: isOutdated ? [...warnings, { type: "price_outdated" as const }] : warnings
      }
    })
  })
})
