/** Erasing a person on request (docs/api/privacy.md, docs/engineering/0021-erasure.md). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import type { ActingBusiness } from "../business/Business.ts"
import { BusinessRepository } from "../business/BusinessRepository.ts"
import { Drivers } from "../fleet/Drivers.ts"
import { CredentialCache } from "../identity/CredentialCache.ts"
import { SessionRepository } from "../identity/SessionRepository.ts"
import { UserRepository } from "../identity/UserRepository.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import {
  ConfirmationRequired,
  type Conflict,
  invalidField,
  InvalidInput,
  type NotFound,
  orNotFound
} from "../kernel/Errors.ts"
import type { BusinessId, CustomerId, DriverId, UserId } from "../kernel/Ids.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { MemberRepository } from "../staff/MemberRepository.ts"
import { makeRequireAnotherOwner } from "../staff/Members.ts"
import type { FilesUnavailable } from "../uploads/FileStore.ts"
import type { OnProgress } from "../kernel/Progress.ts"
import { ErasureSteps } from "./ErasureSteps.ts"
import {
  type ContactErasureInput,
  digitsOf,
  type ErasureInput,
  type ErasureRecord,
  mergedPerson,
  type Person,
  type PersonErasureInput
} from "./Person.ts"
import { PersonalData } from "./PersonalData.ts"

const contactSubject = "contact"

/** An error names at most this many open records of each kind. */
const maxNamed = 20

/** The errors of an erasure. */
export type ErasureError = NotFound | Conflict | ConfirmationRequired | InvalidInput | FilesUnavailable

/**
 * Each erases a person and returns how many records were erased. It works in steps of their own transactions: after an
 * interruption, the same call continues. A repetition erases the data that was stored since.
 *
 * - `customer`, `driver`: a customer or a driver of the business, also a deleted one. `NotFound` if it is absent or erased.
 * - `contact`: the person with an email or a phone number: customers, passengers, bookers.
 * - `person`: one of these in any business, for super-admins. `InvalidInput` unless it names one person.
 * - `user`: an account, with its sessions and memberships. `Conflict` for the only owner of a business, and for a user who
 *   erases the own account.
 *
 * `ConfirmationRequired` with the open trips, quotes and bookings and the unpaid invoices, unless `force` is true.
 */
export class Erasures extends Context.Service<
  Erasures,
  {
    readonly customer: (
      acting: ActingBusiness,
      customerId: CustomerId,
      input: ErasureInput,
      onProgress?: OnProgress
    ) => Effect.Effect<ErasureRecord, ErasureError>
    readonly driver: (
      acting: ActingBusiness,
      driverId: DriverId,
      input: ErasureInput,
      onProgress?: OnProgress
    ) => Effect.Effect<ErasureRecord, ErasureError>
    readonly contact: (
      acting: ActingBusiness,
      input: ContactErasureInput,
      onProgress?: OnProgress
    ) => Effect.Effect<ErasureRecord, ErasureError>
    readonly person: (
      businessId: BusinessId,
      input: PersonErasureInput,
      onProgress?: OnProgress
    ) => Effect.Effect<ErasureRecord, ErasureError>
    readonly user: (
      userId: UserId,
      input: ErasureInput,
      onProgress?: OnProgress
    ) => Effect.Effect<ErasureRecord, ErasureError>
  }
>()("@livery/domain/Erasures") {
  static readonly layer = Layer.effect(
    Erasures,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const personal = yield* PersonalData
      const businesses = yield* BusinessRepository
      const drivers = yield* Drivers
      const users = yield* UserRepository
      const sessions = yield* SessionRepository
      const members = yield* MemberRepository
      const credentials = yield* CredentialCache
      const requireAnotherOwner = yield* makeRequireAnotherOwner
      const steps = yield* ErasureSteps
      const writeAudit = yield* makeAuditTrail

      /** Fails while the person has open records, unless `force` confirms it. Call it once no new record can refer to the person. */
      const requireNothingOpen = Effect.fnUntraced(function* (person: Person, force: boolean) {
        const isErased = person.names.length + person.emails.length + person.phones.length === 0
        if (force || isErased) return
        const { booking_ids, invoice_ids, quote_ids, trip_ids } = yield* personal.openWork(person, maxNamed)
        const atStake = [
          ...trip_ids.map((trip_id) => ({ trip_id })),
          ...quote_ids.map((quote_id) => ({ quote_id })),
          ...booking_ids.map((booking_id) => ({ booking_id })),
          ...invoice_ids.map((invoice_id) => ({ invoice_id }))
        ]
        if (atStake.length === 0) return
        return yield* new ConfirmationRequired({
          reason: "The person has open trips, quotes or bookings, or unpaid invoices",
          atStake
        })
      })

      /** Erases a person, whichever kind of record names the person. `retire` runs in the first transaction. */
      const erase = Effect.fnUntraced(function* <E>(
        {
          businessId,
          person,
          subject,
          timezone
        }: {
          readonly businessId: BusinessId | undefined
          readonly person: Person
          readonly subject: string
          readonly timezone: string
        },
        { force, reason }: ErasureInput,
        retire: Effect.Effect<unknown, E>,
        onProgress: OnProgress
      ) {
        const actor = yield* CurrentActor
        const entry = {
          actor,
          subject,
          ...(businessId === undefined ? {} : { businessId }),
          ...(reason === null ? {} : { reason })
        }
        yield* transaction.run(
          Effect.gen(function* () {
            const now = yield* DateTime.now
            yield* retire
            yield* personal.retire(person, now)
            // A repeated request names the texts of a contact again, and the row of a user remains until the end.
            if (businessId !== undefined && subject !== contactSubject)
              yield* personal.begin(person, subject, now)
            yield* requireNothingOpen(person, force)
            yield* writeAudit({ ...entry, action: "person.erasure_started" })
            yield* transaction.afterCommit(credentials.invalidateAll)
          })
        )
        const counts = yield* steps(person, timezone, onProgress)
        return yield* transaction.run(
          Effect.gen(function* () {
            const invoices_retained = yield* personal.finish(person, subject, yield* DateTime.now)
            const record: ErasureRecord = {
              erased: true,
              customers: person.customer_ids.length,
              drivers: person.driver_ids.length,
              users: person.user_ids.length,
              ...counts,
              invoices_retained
            }
            yield* writeAudit({ ...entry, action: "person.erased", after: record })
            yield* transaction.afterCommit(credentials.invalidateAll)
            return record
          })
        )
      })

      /** The person of a record, with the records and texts that an interrupted erasure of that subject has stored. */
      const withUnfinished = (businessId: BusinessId, subject: string, person: Option.Option<Person>) =>
        Effect.map(personal.unfinished(businessId, subject), (begun) =>
          Option.isSome(person) && Option.isSome(begun)
            ? Option.some(mergedPerson(person.value, begun.value))
            : Option.orElse(person, () => begun)
        )

      const none: OnProgress = () => undefined

      const customer = Effect.fn("Erasures.customer")(function* (
        { business_id, timezone }: ActingBusiness,
        customerId: CustomerId,
        input: ErasureInput,
        onProgress: OnProgress = none
      ) {
        const subject = `customer:${customerId}`
        const record = yield* personal.ofCustomer(business_id, customerId)
        const person = yield* orNotFound("customer")(yield* withUnfinished(business_id, subject, record))
        return yield* erase(
          { businessId: business_id, person, subject, timezone },
          input,
          Effect.void,
          onProgress
        )
      })

      const driver = Effect.fn("Erasures.driver")(function* (
        acting: ActingBusiness,
        driverId: DriverId,
        input: ErasureInput,
        onProgress: OnProgress = none
      ) {
        const { business_id, timezone } = acting
        const subject = `driver:${driverId}`
        const record = yield* personal.ofDriver(business_id, driverId)
        const person = yield* orNotFound("driver")(yield* withUnfinished(business_id, subject, record))
        // A driver that was deleted earlier has nothing to detach.
        const remove = Effect.catchTag(
          drivers.remove(acting, driverId, { force: input.force }),
          "NotFound",
          () => Effect.void
        )
        return yield* erase({ businessId: business_id, person, subject, timezone }, input, remove, onProgress)
      })

      const contact = Effect.fn("Erasures.contact")(function* (
        { business_id, timezone }: ActingBusiness,
        input: ContactErasureInput,
        onProgress: OnProgress = none
      ) {
        const { email, phone } = input
        if (email === null && phone === null) return yield* invalidField("email", "required")
        if (phone !== null && digitsOf(phone).length < 5) return yield* invalidField("phone", "too_short")
        const person = yield* personal.ofContact(business_id, { email, phone })
        return yield* erase(
          { businessId: business_id, person, subject: contactSubject, timezone },
          input,
          Effect.void,
          onProgress
        )
      })

      const person = Effect.fn("Erasures.person")(function* (
        businessId: BusinessId,
        { customer_id, driver_id, ...input }: PersonErasureInput,
        onProgress: OnProgress = none
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

      const user = Effect.fn("Erasures.user")(function* (
        userId: UserId,
        input: ErasureInput,
        onProgress: OnProgress = none
      ) {
        const account = yield* orNotFound("user")(yield* personal.ofUser(userId))
        const requireOwners = Effect.gen(function* () {
          for (const { business_id } of yield* sessions.businessesOf(userId)) {
            yield* members.lock(business_id)
            const member = yield* members.find(business_id, userId)
            if (Option.isSome(member)) yield* requireAnotherOwner(business_id, member.value)
          }
          yield* users.lock(userId)
        })
        return yield* erase(
          { businessId: undefined, person: account, subject: `user:${userId}`, timezone: "UTC" },
          input,
          requireOwners,
          onProgress
        )
      })

      return Erasures.of({ customer, driver, contact, person, user })
    })
  ).pipe(Layer.provide(ErasureSteps.layer))
}
