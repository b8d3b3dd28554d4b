/** Creating a trip: locks the records that it refers to, and stores it. */
import { Effect } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { makeStoreWithReference } from "../kernel/security/Reference.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { Conflict, invalidField, refuseIssues } from "../kernel/Errors.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import type { CarId, CustomerId, TripId } from "../kernel/Ids.ts"
import { type Checks, duplicateWarnings, makeCheckTrip } from "./schedule/Clashes.ts"
import { tripRecord } from "./trip/Trip.ts"
import type { Edited, TripDraft } from "./trip/TripEdit.ts"
import type { TripOverrides } from "./trip/TripInput.ts"
import { type NamedCustomer, TripReferences } from "./trip/TripReferences.ts"
import { TripUnitOfWork } from "./changes/TripUnitOfWork.ts"

/** The fields by which a trip refers to other records. An absent field means that the reference does not change. */
interface ReferringFields {
  readonly car_id?: CarId | null | undefined
  readonly customer_id?: CustomerId | null | undefined
  readonly customer_email?: string | null | undefined
  readonly linked_trip_id?: TripId | null | undefined
  readonly external_ref?: string | null | undefined
}

/**
 * The records that a trip refers to, locked. `hasCar`, `hasCustomer` and `hasLinkedTrip` are also true if the trip refers to
 * none.
 */
export interface LockedReferences {
  readonly hasCar: boolean
  readonly hasCustomer: boolean
  readonly hasLinkedTrip: boolean
  /** The customer that the trip names by id. */
  readonly customer: NamedCustomer | null
  /** The trip that has the `external_ref` already. */
  readonly tripWithExternalRef: TripId | null
  /** The customer with the trip's email; looked up only if the trip names no customer by id. */
  readonly customerIdByEmail: CustomerId | null
}

/**
 * Locks the records that trips are about to refer to, and returns the function that finds those of a trip. Call it before the trips
 * themselves are locked.
 */
export const makeLockAllReferences = Effect.map(TripReferences, (references) => {
  const given = <A>(values: ReadonlyArray<A | null | undefined>): ReadonlyArray<A> => [
    ...new Set(values.filter((value): value is A => value !== null && value !== undefined))
  ]
  return Effect.fnUntraced(function* (
    { business_id }: ActingBusiness,
    trips: ReadonlyArray<ReferringFields>
  ): Effect.fn.Return<(trip: ReferringFields) => LockedReferences> {
    const carIds = given(trips.map(({ car_id }) => car_id))
    const customerIds = given(trips.map(({ customer_id }) => customer_id))
    const emails = given(
      trips.map(({ customer_email, customer_id }) =>
        customer_id === undefined || customer_id === null ? customer_email : null
      )
    )
    const cars = new Set(yield* references.lockCars(business_id, carIds))
    const customers = yield* references.lockCustomers(business_id, customerIds)
    const byEmail = yield* references.lockCustomersByEmail(business_id, emails)
    const byExternalRef = yield* references.lockExternalRefs(
      business_id,
      given(trips.map(({ external_ref }) => external_ref))
    )
    const linked = new Set<TripId>()
    for (const tripId of given(trips.map(({ linked_trip_id }) => linked_trip_id)).toSorted(
      (one, other) => one - other
    ))
      if (yield* references.lockTrip(business_id, tripId)) linked.add(tripId)
    return ({
      car_id = null,
      customer_email = null,
      customer_id = null,
      external_ref = null,
      linked_trip_id = null
    }) => {
      const customer = customer_id === null ? null : (customers.get(customer_id) ?? null)
      return {
        hasCar: car_id === null || cars.has(car_id),
        hasCustomer: customer_id === null || customer !== null,
        hasLinkedTrip: linked_trip_id === null || linked.has(linked_trip_id),
        customer,
        tripWithExternalRef: external_ref === null ? null : (byExternalRef.get(external_ref) ?? null),
        customerIdByEmail:
          customer_id !== null || customer_email === null ? null : (byEmail.get(customer_email) ?? null)
      }
    }
  })
})

/** Locks the records that a trip is about to refer to. Call it before the trip itself is locked. */
export const makeLockReferences = Effect.map(
  makeLockAllReferences,
  (lockAll) => (acting: ActingBusiness, trip: ReferringFields) =>
    Effect.map(lockAll(acting, [trip]), (lockedOf) => lockedOf(trip))
)

/** An issue for each reference to a record that the business does not have. */
export const missingReferences = ({
  hasCar,
  hasCustomer,
  hasLinkedTrip
}: Pick<LockedReferences, "hasCar" | "hasCustomer" | "hasLinkedTrip">): ReadonlyArray<FieldIssue> => [
  ...(hasCar ? [] : [{ field: "car_id", issue: "not_found" as const }]),
  ...(hasCustomer ? [] : [{ field: "customer_id", issue: "not_found" as const }]),
  ...(hasLinkedTrip ? [] : [{ field: "linked_trip_id", issue: "not_found" as const }])
]

/** The error of a trip with the `external_ref` of another trip. */
export const externalRefTaken = (trip_id: TripId) =>
  new Conflict({ reason: `Trip ${trip_id} has that external_ref`, records: [{ type: "trip", trip_id }] })

/** The fields of a trip that its customer's record can give. */
type CustomerFields = Pick<TripDraft, "customer_name" | "customer_email" | "customer_phone">

/** The customer fields that a trip lacks, from its customer's record. A field that the caller sent as null stays null. */
export const customerFieldsFrom = (
  customer: NamedCustomer | null,
  trip: CustomerFields,
  sent: Partial<CustomerFields> = {}
): Partial<Record<keyof CustomerFields, string>> => {
  if (customer === null) return {}
  const { email, name, phone } = customer
  const ofCustomer = { customer_name: name, customer_email: email, customer_phone: phone }
  const names = ["customer_name", "customer_email", "customer_phone"] as const
  return Object.fromEntries(
    names
      .filter((field) => trip[field] === null && sent[field] !== null && ofCustomer[field] !== null)
      .map((field) => [field, ofCustomer[field]])
  )
}

/**
 * The draft with the references that exist, and with the fields that its customer's record fills in. `sent` is undefined for
 * a new trip, and has the fields that the caller sent for a copy. A copied customer fills in nothing.
 */
const completedDraft = (
  draft: TripDraft,
  locked: LockedReferences,
  sent: TripOverrides | undefined,
  fillsCustomerIn: boolean
) => {
  const isCustomerCopied = sent !== undefined && sent.customer_id === undefined && !fillsCustomerIn
  return {
    ...draft,
    ...(isCustomerCopied ? {} : customerFieldsFrom(locked.customer, draft, sent)),
    car_id: locked.hasCar ? draft.car_id : null,
    customer_id: (locked.hasCustomer ? draft.customer_id : null) ?? locked.customerIdByEmail
  }
}

/** The checks of a new trip. It has no drivers yet, and the statement that stores it returns its likely duplicates. */
const checksOfNewTrip = (carId: CarId | null): Checks => {
  const cars = carId === null ? [] : [carId]
  return {
    drivers: [],
    enforcedDrivers: [],
    cars,
    enforcedCars: cars,
    hasOtherPlaces: false,
    comparedCars: cars,
    duplicates: false
  }
}

/**
 * Whether the trip refers to no other record. Then nothing is locked or checked before it is stored, and one statement
 * stores all of it.
 */
export const hasNoReferences = ({
  car_id = null,
  customer_email = null,
  customer_id = null,
  external_ref = null,
  linked_trip_id = null
}: ReferringFields): boolean =>
  [car_id, customer_email, customer_id, external_ref, linked_trip_id].every((reference) => reference === null)

/**
 * The new trip of a draft whose references are locked, without its reference. `InvalidInput` for its wrong fields and for records
 * that the business does not have, `Conflict` if another trip has the `external_ref`. `sent` and `fillsCustomerIn` are as in
 * {@link makeBookTrip}.
 */
export const newTripOfDraft = Effect.fnUntraced(function* (
  edit: Edited<TripDraft>,
  locked: LockedReferences,
  sent?: TripOverrides,
  fillsCustomerIn = false
) {
  const isCopied = (field: "car_id" | "customer_id") => sent !== undefined && sent[field] === undefined
  yield* refuseIssues([
    ...edit.issues,
    ...missingReferences({
      hasCar: locked.hasCar || isCopied("car_id"),
      hasCustomer: locked.hasCustomer || isCopied("customer_id"),
      hasLinkedTrip: locked.hasLinkedTrip
    })
  ])
  if (locked.tripWithExternalRef !== null) return yield* externalRefTaken(locked.tripWithExternalRef)
  const { customer_name, ...completed } = completedDraft(edit.result, locked, sent, fillsCustomerIn)
  if (customer_name === null) return yield* invalidField("customer_name", "required")
  return { ...completed, customer_name }
})

/**
 * Stores a draft under a new reference, sends `trip.created`, and returns the trip's record with its warnings. `sent`
 * holds the fields that the caller sent; the other fields are copied from another trip, and a copied reference to a
 * record that no longer exists is dropped. With `fillsCustomerIn`, a copied customer fills in the fields that the draft
 * lacks. `Conflict` if another trip has the `external_ref`, `ConfirmationRequired` for a clash of the car if the business enforces its clash policy, unless `force` is true.
 */
export const makeBookTrip = Effect.gen(function* () {
  const unitOfWork = yield* TripUnitOfWork
  const cryptography = yield* Cryptography
  const lockReferences = yield* makeLockReferences
  const checkTrip = yield* makeCheckTrip

  const storeWithReference = makeStoreWithReference(cryptography, "TR")

  return Effect.fnUntraced(function* (
    acting: ActingBusiness,
    edit: Edited<TripDraft>,
    {
      fillsCustomerIn = false,
      force,
      sent
    }: { readonly force: boolean; readonly sent?: TripOverrides; readonly fillsCustomerIn?: boolean }
  ) {
    const found = yield* lockReferences(acting, edit.result)
    // The email of a copy may name another customer than the one that was deleted since.
    const locked = found.hasCustomer
      ? found
      : {
          ...found,
          customerIdByEmail: (yield* lockReferences(acting, { customer_email: edit.result.customer_email }))
            .customerIdByEmail
        }
    const draft = yield* newTripOfDraft(edit, locked, sent, fillsCustomerIn)
    const warnings = yield* checkTrip(acting.timezone, draft, checksOfNewTrip(draft.car_id), force)
    const { duplicates, trip } = yield* storeWithReference((reference) =>
      unitOfWork.create(acting, { ...draft, reference })
    )
    return {
      ...tripRecord(trip, acting.timezone),
      warnings: [...warnings, ...duplicateWarnings(duplicates)]
    }
  })
})
