/** The steps of an erasure: bounded batches, each in a transaction of its own. Each step may be repeated. */
import { Context, DateTime, Effect, Layer } from "effect"
import { Transaction } from "../kernel/Transaction.ts"
import type { Trip } from "../trips/Trip.ts"
import { TripUnitOfWork } from "../trips/TripUnitOfWork.ts"
import { FileStore, type FilesUnavailable } from "../uploads/FileStore.ts"
import { tripWithoutPerson, isCustomerOf } from "./TripWithoutPerson.ts"
import type { OnProgress } from "../kernel/Progress.ts"
import type { ErasureRecord, Person } from "./Person.ts"
import { type DocumentKind, documentKinds, PersonalData } from "./PersonalData.ts"
import { mentions, personalFields, redacted, type Reference, referencesIn } from "./Redaction.ts"
import { SentMail } from "./SentMail.ts"

/** How many records a transaction erases, and how many documents it reads. */
const batchSizes = { records: 100, documents: 500 }

/** The numbers of the erased records. */
export type ErasureCounts = Omit<
  ErasureRecord,
  "erased" | "customers" | "drivers" | "users" | "invoices_retained"
>

const countNames = {
  changes: "changes",
  events: "events",
  audit: "audit_entries",
  responses: "responses",
  messages: "messages"
} as const satisfies Record<DocumentKind, keyof ErasureCounts>

const keyOf = ({ id, kind }: Reference) => `${kind}:${id}`

/**
 * Erases all data of a retired person except for the person's own records, and returns the numbers. Local times in events
 * are in the given time zone. Files are removed before their rows, so that an interruption leaves no file without a row.
 */
export class ErasureSteps extends Context.Service<
  ErasureSteps,
  (person: Person, timezone: string, onProgress: OnProgress) => Effect.Effect<ErasureCounts, FilesUnavailable>
>()("@livery/domain/ErasureSteps") {
  static readonly layer = Layer.effect(
    ErasureSteps,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const personal = yield* PersonalData
      const unitOfWork = yield* TripUnitOfWork
      const files = yield* FileStore
      const sentMail = yield* SentMail

      const eraseFiles = Effect.fnUntraced(function* (person: Person) {
        if (person.business_id === null) return 0
        const names = yield* personal.fileNames(person)
        yield* Effect.forEach(names, files.remove, { discard: true })
        yield* personal.forgetUploads(person.business_id, names)
        return names.length
      })

      const eraseBatchOfTrips = (person: Person, timezone: string, after: number) =>
        transaction.run(
          Effect.gen(function* () {
            const locked = yield* personal.lockTrips(person, after, batchSizes.records)
            const [first] = locked
            if (first === undefined) return locked
            const { business_id } = first
            const erased = locked.map((before) => ({
              before,
              after: tripWithoutPerson(before, person),
              isCustomer: isCustomerOf(before, person)
            }))
            const ownTripIds = erased
              .filter(({ isCustomer }) => isCustomer)
              .map(({ after: { trip_id } }) => trip_id)
            if (ownTripIds.length > 0)
              yield* personal.eraseBesideTrips(business_id, ownTripIds, yield* DateTime.now)
            yield* unitOfWork.erasePerson({ business_id, timezone }, erased, personalFields)
            return locked
          })
        )

      /** Repeats the pass over the trips until it finds none, because a request may have changed one meanwhile. */
      const eraseTrips = Effect.fnUntraced(function* (
        person: Person,
        timezone: string,
        onBatch: (count: number) => void
      ) {
        let [count, countOfRound] = [0, 0]
        do {
          countOfRound = 0
          let last = 0
          let locked: ReadonlyArray<Trip>
          do {
            locked = yield* eraseBatchOfTrips(person, timezone, last)
            last = locked.at(-1)?.trip_id ?? last
            countOfRound += locked.length
            onBatch(locked.length)
          } while (locked.length === batchSizes.records)
          count += countOfRound
        } while (countOfRound > 0)
        return count
      })

      /** Repeats a step, each time in a transaction, until it erases less than a full batch. Returns the sum. */
      const repeatStep = Effect.fnUntraced(function* (
        step: (now: DateTime.Utc) => Effect.Effect<number>,
        onBatch: (count: number) => void
      ) {
        let [count, last] = [0, 0]
        do {
          last = yield* transaction.run(Effect.flatMap(DateTime.now, step))
          count += last
          onBatch(last)
        } while (last === batchSizes.records)
        return count
      })

      const eraseAssignments = Effect.fnUntraced(function* (
        person: Person,
        onBatch: (count: number) => void
      ) {
        const { business_id } = person
        if (business_id === null || person.driver_ids.length === 0) return 0
        let [count, after, countOfBatch] = [0, 0, 0]
        do {
          const ids = yield* transaction.run(
            Effect.gen(function* () {
              const locked = yield* personal.lockAssignments(person, after, batchSizes.records)
              const assignmentIds = locked.map(({ assignment_id }) => assignment_id)
              yield* personal.erasePositions(business_id, assignmentIds)
              yield* unitOfWork.eraseReports(business_id, assignmentIds)
              return assignmentIds
            })
          )
          countOfBatch = ids.length
          after = ids.at(-1) ?? after
          count += countOfBatch
          onBatch(countOfBatch)
        } while (countOfBatch === batchSizes.records)
        return count
      })

      const eraseBatchOfDocuments = (kind: DocumentKind, person: Person, after: string) =>
        transaction.run(
          Effect.gen(function* () {
            const { documents, next } = yield* personal.documents(kind, person, after, batchSizes.documents)
            const references = documents.flatMap(({ content }) => referencesIn(content))
            const erased = new Set((yield* personal.erasedAmong(person.business_id, references)).map(keyOf))
            const own = new Set([
              ...person.customer_ids.map((id) => keyOf({ kind: "customer", id })),
              ...person.driver_ids.map((id) => keyOf({ kind: "driver", id })),
              ...person.user_ids.map((id) => keyOf({ kind: "user", id }))
            ])
            const { emails, names, phones } = person
            const rules = {
              isErased: (reference: Reference) => erased.has(keyOf(reference)) || own.has(keyOf(reference)),
              isMention: (text: string) =>
                mentions(text, kind === "audit" ? { emails, names, phones } : { emails, phones })
            }
            const changed = documents.flatMap(({ content, key }) => {
              const after = redacted(content, rules)
              // A message that mentions the person is not sent any more.
              return after === content ? [] : [{ key, content: kind === "messages" ? null : after }]
            })
            yield* personal.saveDocuments(kind, person.business_id, changed)
            return { count: changed.length, next }
          })
        )

      const eraseDocuments = Effect.fnUntraced(function* (
        kind: DocumentKind,
        person: Person,
        onBatch: (count: number) => void
      ) {
        let count = 0
        let after: string | null = ""
        while (after !== null) {
          const step: { readonly count: number; readonly next: string | null } = yield* eraseBatchOfDocuments(
            kind,
            person,
            after
          )
          count += step.count
          after = step.next
          onBatch(batchSizes.documents)
        }
        return count
      })

      return ErasureSteps.of(
        Effect.fn("ErasureSteps.run")(function* (person, timezone, onProgress) {
          const total = yield* personal.size(person)
          let done = 0
          const onBatch = (count: number) => onProgress(Math.min((done += count), total), total)
          onBatch(0)
          const counts = {
            files: yield* eraseFiles(person),
            trips: yield* eraseTrips(person, timezone, onBatch),
            quotes: yield* repeatStep(
              (now) => personal.eraseQuotes(person, batchSizes.records, now),
              onBatch
            ),
            bookings: yield* repeatStep(
              (now) => personal.eraseBookings(person, batchSizes.records, now),
              onBatch
            ),
            assignments: yield* eraseAssignments(person, onBatch)
          }
          const documents = { changes: 0, events: 0, audit_entries: 0, responses: 0, messages: 0 }
          for (const kind of documentKinds)
            documents[countNames[kind]] = yield* eraseDocuments(kind, person, onBatch)
          const sent_messages = yield* sentMail.eraseTo(person.emails)
          onProgress(total, total)
          return { ...counts, ...documents, sent_messages }
        })
      )
    })
  ).pipe(Layer.provide(TripUnitOfWork.layer))
}
