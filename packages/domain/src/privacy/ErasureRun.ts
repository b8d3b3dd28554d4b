/** Accepting and completing an erasure. The request does both; after an interruption a worker completes it (`ErasureSweep`). */
import { Context, DateTime, Effect, Equal, Layer, Option, Semaphore } from "effect"
import * as Hex from "effect/encoding/Hex"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import type { ActingBusiness } from "../business/Business.ts"
import { BusinessRepository } from "../business/BusinessRepository.ts"
import { CredentialCache } from "../identity/credentials/CredentialCache.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import { ConfirmationRequired } from "../kernel/Errors.ts"
import type { OnProgress } from "../kernel/Progress.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { type ErasureJournal, erasureLease, makeErasureJournals } from "./ErasureJournal.ts"
import { type ErasureLease, ErasureRepository, type HeldErasure } from "./ErasureRepository.ts"
import { ErasureSteps } from "./ErasureSteps.ts"
import { ForegroundErasure } from "./ForegroundErasure.ts"
import type { ErasureInput, ErasureRecord, Person } from "./Person.ts"
import { PersonalData } from "./PersonalData.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** An error names at most this many open records of each kind. */
const maxNamed = 20

/** How many erasures a process accepts at once. */
const mostAcceptances = 2

/** Another process continues or has completed the erasure. */
class ErasureTaken {
  readonly _tag = "ErasureTaken"
}

/** A person to erase. `acting` is null for an account. */
export interface RequestedErasure {
  readonly key: string
  readonly acting: ActingBusiness | null
  readonly person: Person
  readonly subject: string
}

/** The record of an erasure that the workers complete. */
const pendingRecord = ({ customer_ids, driver_ids, user_ids }: Person): ErasureRecord => {
  const known = {
    customers: customer_ids.length,
    drivers: driver_ids.length,
    users: user_ids.length
  }
  return {
    erased: Object.values(known).some((count) => count > 0),
    pending: true,
    ...known,
    trips: 0,
    quotes: 0,
    bookings: 0,
    assignments: 0,
    files: 0,
    changes: 0,
    events: 0,
    audit_entries: 0,
    responses: 0,
    messages: 0,
    sent_messages: 0,
    invoices_retained: 0
  }
}

export class ErasureRun extends Context.Service<ErasureRun>()("@livery/domain/ErasureRun", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const personal = yield* PersonalData
    const erasures = yield* ErasureRepository
    const businesses = yield* BusinessRepository
    const credentials = yield* CredentialCache
    const cryptography = yield* Cryptography
    const steps = yield* ErasureSteps
    const journalOf = yield* makeErasureJournals
    const most = yield* ForegroundErasure
    const writeAudit = yield* makeAuditTrail
    // An acceptance waits for other acceptances of its business, and for bookings. Each that waits in the database would keep a
    // connection from the requests of other businesses.
    const acceptances = yield* Semaphore.make(mostAcceptances)

    const newLease = Effect.gen(function* () {
      const now = yield* DateTime.now
      const lease: ErasureLease = {
        lease: Hex.encode(yield* cryptography.randomBytes(16)),
        until: DateTime.addDuration(now, erasureLease)
      }
      return [lease, now] as const
    })

    /** Call it once no new record can refer to the person. */
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

    const entryOf = ({ actor, person: { business_id }, reason, subject }: HeldErasure) => ({
      actor,
      subject,
      ...(business_id === null ? {} : { businessId: business_id }),
      ...(reason === null ? {} : { reason })
    })

    /** Erases everything that remains of an accepted person. `onTaken` runs if another process has continued it. */
    const complete = Effect.fnUntraced(function* <E>(
      held: HeldErasure,
      timezone: string,
      journal: ErasureJournal<E>,
      onTaken: Effect.Effect<void, E>,
      onProgress: OnProgress | undefined
    ) {
      const { person } = held
      const counts = yield* steps(person, timezone, journal, onProgress)
      return yield* atomically(transaction, function* () {
        const isHeld = yield* erasures.lock(held)
        if (!isHeld) yield* onTaken
        const invoices_retained = yield* personal.finish(person, yield* DateTime.now)
        const erased = {
          customers: person.customer_ids.length,
          drivers: person.driver_ids.length,
          users: person.user_ids.length,
          ...counts,
          invoices_retained
        }
        const record: ErasureRecord = {
          erased: Object.values(erased).some((count) => count > 0),
          ...erased
        }
        yield* writeAudit({ ...entryOf(held), action: "person.erased", after: record })
        if (isHeld) yield* erasures.remove(held)
        yield* transaction.afterCommit(credentials.invalidateAll)
        return record
      })
    })

    return {
      /**
       * Accepts the erasure of a person and completes it. `retire` runs in the transaction that accepts it. It fails
       * with `ConfirmationRequired` while the person has open records, unless `force` is true. Beyond `ForegroundErasure`, it
       * returns before the workers complete it, with `pending`, unless the caller shows the progress. A repetition then leaves the
       * erasure to the workers.
       */
      start: Effect.fnUntraced(function* <E>(
        { acting, key, person, subject }: RequestedErasure,
        { force, reason }: ErasureInput,
        retire: Effect.Effect<unknown, E>,
        onProgress?: OnProgress
      ) {
        const actor = yield* CurrentActor
        const isLarge =
          onProgress === undefined
            ? Effect.map(personal.size(person, most + 1), (size) => size > most)
            : Effect.succeed(false)
        const isRepeated = Option.exists(yield* erasures.find(key), (begun) => Equal.equals(begun, person))
        if (isRepeated && (yield* isLarge)) return pendingRecord(person)
        const held = yield* atomically(transaction, function* () {
          const [lease, now] = yield* newLease
          // First, because a worker locks the erasure before the records of a window.
          const begun = yield* erasures.begin({ key, person, subject, actor, reason }, lease, now)
          yield* retire
          yield* personal.retire(person, now)
          yield* requireNothingOpen(person, force)
          yield* writeAudit({ ...entryOf(begun), action: "person.erasure_started" })
          yield* transaction.afterCommit(credentials.invalidateAll)
          return begun
        }).pipe(acceptances.withPermit)
        if (yield* isLarge) {
          yield* erasures.postpone(held, yield* DateTime.now)
          return pendingRecord(person)
        }
        // The caller gets the counts of its own work, also if another process works on the same erasure.
        const journal = journalOf(held, Effect.void)
        return yield* complete(held, acting?.timezone ?? "UTC", journal, Effect.void, onProgress)
      }),

      /** An accepted erasure that no process continues; `None` if there is none. */
      claim: Effect.flatMap(newLease, ([lease, now]) => erasures.claim(lease, now)),

      /**
       * Completes a claimed erasure, from the window at which it was interrupted. It stops without an error if another
       * process takes it over.
       */
      resume: traced("ErasureRun.resume")(function* (held: HeldErasure) {
        const { business_id } = held.person
        const business = business_id === null ? Option.none() : yield* businesses.find(business_id)
        const timezone = Option.match(business, {
          onNone: () => "UTC",
          onSome: (found) => found.timezone
        })
        const taken = Effect.fail(new ErasureTaken())
        const journal = journalOf(held, taken, { pauses: true })
        yield* complete(held, timezone, journal, taken, undefined).pipe(
          Effect.catchTag("ErasureTaken", () => Effect.void),
          Effect.provideService(CurrentActor, held.actor)
        )
      })
    }
  })
}) {
  static readonly layer = Layer.effect(ErasureRun, ErasureRun.make).pipe(Layer.provide(ErasureSteps.layer))
}
