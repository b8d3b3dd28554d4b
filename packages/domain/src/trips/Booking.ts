/** Locking the records that a trip refers to, and storing a new trip. */
import { DateTime, Effect, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { crockford } from "../kernel/security/Crockford.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { InvalidInput } from "../kernel/Errors.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import type { CarId, CustomerId } from "../kernel/Ids.ts"
import { type Checks, duplicateWarnings, makeCheckTrip } from "./Clashes.ts"
import { tripRecord } from "./Trip.ts"
import type { Edited, TripDraft } from "./TripEdit.ts"
import { TripReferences } from "./TripReferences.ts"
import { TripRepository } from "./TripRepository.ts"
import { TripUnitOfWork } from "./TripUnitOfWork.ts"

/** The fields by which a trip refers to other records. An absent field means that the reference does not change. */
interface ReferringFields {
  readonly car_id?: CarId | null | undefined
  readonly customer_id?: CustomerId | null | undefined
  readonly customer_email?: string | null | undefined
}

/** `hasCar` and `hasCustomer` are also true if the trip refers to none. */
interface LockedReferences {
  readonly hasCar: boolean
  readonly hasCustomer: boolean
  /** The customer with the trip's email; looked up only if the trip names no customer by id. */
  readonly customerIdByEmail: CustomerId | null
}

/** Locks the records that a trip is about to refer to. Call it before the trip itself is locked. */
export const makeLockReferences = Effect.map(TripReferences, (references) =>
  Effect.fnUntraced(function* (
    { business_id }: ActingBusiness,
    { car_id = null, customer_email = null, customer_id = null }: ReferringFields
  ): Effect.fn.Return<LockedReferences> {
    const hasCar = car_id === null || (yield* references.lockCar(business_id, car_id))
    const hasCustomer = customer_id === null || (yield* references.lockCustomer(business_id, customer_id))
    const email = customer_id === null ? customer_email : null
    const customerIdByEmail =
      email === null ? null : Option.getOrNull(yield* references.lockCustomerByEmail(business_id, email))
    return { hasCar, hasCustomer, customerIdByEmail }
  })
)

/** An issue for each reference to a record that the business does not have. */
export const missingReferences = ({
  hasCar,
  hasCustomer
}: Pick<LockedReferences, "hasCar" | "hasCustomer">): ReadonlyArray<FieldIssue> => [
  ...(hasCar ? [] : [{ field: "car_id", issue: "not_found" as const }]),
  ...(hasCustomer ? [] : [{ field: "customer_id", issue: "not_found" as const }])
]

/** A new trip has no drivers yet. Its duplicates are found by the statement that stores it. */
const checksOfNewTrip: Checks = {
  drivers: [],
  decisiveDrivers: [],
  car: true,
  decisiveCar: true,
  seats: true,
  duplicates: false
}

/**
 * Whether the trip refers to no other record. Then nothing is locked or checked before it is stored, and one statement
 * stores all of it.
 */
export const refersToNothing = ({ car_id, customer_email, customer_id }: ReferringFields): boolean =>
  (car_id ?? null) === null && (customer_id ?? null) === null && (customer_email ?? null) === null

/**
 * Stores a draft under a new reference, sends `trip.created`, and returns the trip's record with its warnings. `sent`
 * holds the fields that the caller sent; the other fields are copied from another trip, and a copied reference to a
 * record that no longer exists is dropped. `ConfirmationRequired` for a clash of the car if the business enforces its
 * clash policy, unless `force` is true.
 */
export const makeBookTrip = Effect.gen(function* () {
  const trips = yield* TripRepository
  const unitOfWork = yield* TripUnitOfWork
  const cryptography = yield* Cryptography
  const lockReferences = yield* makeLockReferences
  const checkTrip = yield* makeCheckTrip

  const newReference = Effect.map(cryptography.randomBytes(7), (bytes) => `TR-${crockford(bytes)}`)

  return Effect.fnUntraced(function* (
    acting: ActingBusiness,
    edit: Edited<TripDraft>,
    { force, sent = edit.result }: { readonly force: boolean; readonly sent?: ReferringFields }
  ) {
    const { car_id, customer_email, customer_id: named } = edit.result
    const locked = yield* lockReferences(acting, edit.result)
    const issues = [
      ...edit.issues,
      ...missingReferences({
        hasCar: locked.hasCar || sent.car_id === undefined,
        hasCustomer: locked.hasCustomer || sent.customer_id === undefined
      })
    ]
    if (issues.length > 0) return yield* new InvalidInput({ issues })
    const { customerIdByEmail } = locked.hasCustomer
      ? locked
      : yield* lockReferences(acting, { customer_email })
    const customer_id = (locked.hasCustomer ? named : null) ?? customerIdByEmail
    const draft = { ...edit.result, car_id: locked.hasCar ? car_id : null, customer_id }
    const warnings = yield* checkTrip(acting.timezone, draft, checksOfNewTrip, force)
    const now = yield* DateTime.now
    // A reference that is in use is drawn again.
    for (;;) {
      const booking = { ...draft, reference: yield* newReference }
      const stored = yield* trips.insert(booking, now, (trip) =>
        unitOfWork.eventOf(acting, "trip.created", trip)
      )
      if (Option.isNone(stored)) continue
      const { duplicates, trip } = stored.value
      return {
        ...tripRecord(trip, acting.timezone),
        warnings: [...warnings, ...duplicateWarnings(duplicates)]
      }
    }
  })
})
