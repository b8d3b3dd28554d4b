/** Erasing a person on request (docs/api/privacy.md, docs/engineering/0021-erasure.md). */
import { Context, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { BusinessRepository } from "../business/BusinessRepository.ts"
import { Drivers } from "../fleet/Drivers.ts"
import { SessionRepository } from "../identity/sessions/SessionRepository.ts"
import { UserRepository } from "../identity/users/UserRepository.ts"
import { canonicalPhone, countryOf } from "../kernel/fields/PhoneNumber.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import {
  type ConfirmationRequired,
  Conflict,
  invalidField,
  InvalidInput,
  type NotFound,
  orNotFound
} from "../kernel/Errors.ts"
import type { BusinessId, CustomerId, DriverId, UserId } from "../kernel/Ids.ts"
import { BusinessProfileRepository } from "../settings/BusinessProfileRepository.ts"
import { MemberRepository } from "../staff/MemberRepository.ts"
import { makeRequireAnotherOwner } from "../staff/Members.ts"
import type { FilesUnavailable } from "../uploads/FilesUnavailable.ts"
import type { OnProgress } from "../kernel/Progress.ts"
import { contactKeyOf, contactSubject, erasureKeyOf, ErasureRepository } from "./ErasureRepository.ts"
import { ErasureRun } from "./ErasureRun.ts"
import {
  type ContactErasureInput,
  type ErasureInput,
  hasAllOf,
  mergedPerson,
  type Person,
  type PersonErasureInput
} from "./Person.ts"
import { PersonalData } from "./PersonalData.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** The errors of an erasure. */
export type ErasureError = NotFound | Conflict | ConfirmationRequired | InvalidInput | FilesUnavailable

/**
 * Each erases a person and returns how many records were erased. It works in steps of their own transactions: after an
 * interruption, a worker (`ErasureSweep`) or the same call completes it. A repetition erases the data that was stored
 * since.
 *
 * `ConfirmationRequired` with the open trips, quotes and bookings and the unpaid invoices, unless `force` is true.
 */
export class Erasures extends Context.Service<Erasures>()("@livery/domain/Erasures", {
  make: Effect.gen(function* () {
    const personal = yield* PersonalData
    const businesses = yield* BusinessRepository
    const profiles = yield* BusinessProfileRepository
    const drivers = yield* Drivers
    const users = yield* UserRepository
    const sessions = yield* SessionRepository
    const members = yield* MemberRepository
    const requireAnotherOwner = yield* makeRequireAnotherOwner
    const erasures = yield* ErasureRepository
    const run = yield* ErasureRun

    /** The person whom a request names, with what an unfinished erasure of the same had found: unchanged if that is all. */
    const withUnfinished = (key: string, found: Option.Option<Person>) =>
      Effect.map(erasures.find(key), (begun) =>
        Option.isSome(found) && Option.isSome(begun) && !hasAllOf(begun.value, found.value)
          ? Option.some(mergedPerson(found.value, begun.value))
          : Option.orElse(begun, () => found)
      )

    const customer = traced("Erasures.customer")(function* (
      acting: ActingBusiness,
      customerId: CustomerId,
      input: ErasureInput,
      onProgress?: OnProgress
    ) {
      const { business_id } = acting
      const subject = `customer:${customerId}`
      const key = erasureKeyOf(business_id, subject)
      const found = yield* personal.ofCustomer(business_id, customerId)
      const person = yield* orNotFound("customer")(yield* withUnfinished(key, found))
      return yield* run.start({ key, acting, person, subject }, input, Effect.void, onProgress)
    })

    const driver = traced("Erasures.driver")(function* (
      acting: ActingBusiness,
      driverId: DriverId,
      input: ErasureInput,
      onProgress?: OnProgress
    ) {
      const { business_id } = acting
      const subject = `driver:${driverId}`
      const key = erasureKeyOf(business_id, subject)
      const found = yield* personal.ofDriver(business_id, driverId)
      const person = yield* orNotFound("driver")(yield* withUnfinished(key, found))
      // A driver that was deleted earlier has nothing to detach.
      const remove = Effect.catchTag(
        drivers.remove(acting, driverId, { force: input.force }),
        "NotFound",
        () => Effect.void
      )
      return yield* run.start({ key, acting, person, subject }, input, remove, onProgress)
    })

    const contact = traced("Erasures.contact")(function* (
      acting: ActingBusiness,
      input: ContactErasureInput,
      onProgress?: OnProgress
    ) {
      const { email, phone: typed } = input
      if (email === null && typed === null) return yield* invalidField("email", "required")
      const { business_id } = acting
      const country = Option.match(yield* profiles.find(business_id), {
        onNone: () => null,
        onSome: countryOf
      })
      const phone = typed === null ? null : (canonicalPhone(typed, country) ?? "")
      if (phone !== null && phone.length < 5) return yield* invalidField("phone", "too_short")
      const key = contactKeyOf(business_id, { email, phone, country })
      const found = yield* personal.ofContact(business_id, { email, phone, country })
      const person = Option.getOrElse(yield* withUnfinished(key, Option.some(found)), () => found)
      return yield* run.start(
        { key, acting, person, subject: contactSubject },
        input,
        Effect.void,
        onProgress
      )
    })

    const person = traced("Erasures.person")(function* (
      businessId: BusinessId,
      { customer_id, driver_id, ...input }: PersonErasureInput,
      onProgress?: OnProgress
    ) {
      const acting = yield* orNotFound("business")(yield* businesses.find(businessId))
      const hasContact = input.email !== null || input.phone !== null
      const given = [customer_id !== null, driver_id !== null, hasContact].filter(Boolean).length
      if (given !== 1)
        return yield* new InvalidInput({
          issues: [{ field: "customer_id", issue: given === 0 ? "required" : "invalid" }],
          advice: "Name one customer_id, one driver_id, or an email and a phone"
        })
      if (customer_id !== null) return yield* customer(acting, customer_id, input, onProgress)
      if (driver_id !== null) return yield* driver(acting, driver_id, input, onProgress)
      return yield* contact(acting, input, onProgress)
    })

    return {
      /** Erases a customer of the business, also a deleted one. `NotFound` if it is absent or erased. */
      customer,

      /** Erases a driver of the business, also a deleted one. `NotFound` if it is absent or erased. */
      driver,

      /** The person with an email or a phone number: customers, passengers, bookers. */
      contact,

      /** One of these in any business, for super-admins. `InvalidInput` unless it names one person. */
      person,

      /**
       * An account, with its sessions and memberships. `Conflict` for the only owner of a business, and for a user who
       * erases the own account.
       */
      user: traced("Erasures.user")(function* (userId: UserId, input: ErasureInput, onProgress?: OnProgress) {
        const subject = `user:${userId}`
        if ((yield* CurrentActor) === subject)
          return yield* new Conflict({
            reason: "You cannot erase your own account; another super-admin can"
          })
        const key = erasureKeyOf(null, subject)
        const found = yield* personal.ofUser(userId)
        const person = yield* orNotFound("user")(yield* withUnfinished(key, found))
        const requireOwners = Effect.gen(function* () {
          for (const { business_id } of yield* sessions.businessesOf(userId)) {
            yield* members.lock(business_id)
            const member = yield* members.find(business_id, userId)
            if (Option.isSome(member)) yield* requireAnotherOwner(business_id, member.value)
          }
          yield* users.lock(userId)
        })
        return yield* run.start({ key, acting: null, person, subject }, input, requireOwners, onProgress)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Erasures, Erasures.make)
}
