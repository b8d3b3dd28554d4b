/** The steps of an erasure: bounded batches, each in a transaction of its own. Each step may be repeated. */
import { Context, DateTime, Effect, Equal, Layer } from "effect"
import { TripUnitOfWork } from "../trips/changes/TripUnitOfWork.ts"
import { FileStore } from "../uploads/FileStore.ts"
import { type FilesUnavailable } from "../uploads/FilesUnavailable.ts"
import { isWithin, keyOf, makeErasedMessages, sealedBatch } from "./ErasedMessages.ts"
import type { ErasedWindow, ErasureJournal } from "./ErasureJournal.ts"
import type { OnProgress } from "../kernel/Progress.ts"
import type { ErasureRecord, Person } from "./Person.ts"
import { type DocumentKind, documentKinds, PersonalData } from "./PersonalData.ts"
import { isViewOf } from "./PersonalViews.ts"
import { mentions, mentionsName } from "./Mentions.ts"
import { redacted, type Reference, referencesIn } from "./Redaction.ts"
import { isCustomerOf, tripWithoutPerson } from "./TripWithoutPerson.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** How many files are removed, and records erased, before the progress is stored; and how many documents a transaction reads.
 * Sealed ones are fewer, because opening them keeps the process busy. */
const batchSizes = { files: 20, records: 100, documents: 500, sealed: sealedBatch }

/** The numbers of the erased records. */
export type ErasureCounts = Omit<
  ErasureRecord,
  "erased" | "pending" | "customers" | "drivers" | "users" | "invoices_retained"
>

/** The most records and documents of each kind that a progress counts. */
const maxCounted = 100_000_000

const sizeOfPage = (kind: DocumentKind) =>
  kind === "responses" || kind === "messages" ? batchSizes.sealed : batchSizes.documents

/** Whether copies of a kind are a business's: an account has none of them. */
const isOfBusiness = (kind: DocumentKind) => kind === "changes" || kind === "events"

const countNames = {
  changes: "changes",
  events: "events",
  audit: "audit_entries",
  responses: "responses",
  messages: "messages"
} as const satisfies Record<DocumentKind, keyof ErasureCounts>

/** Where a step begins. */
const notBegun = ""

/** Where a pass over the trips continues: after a trip. `hasChanged` is true if the pass has changed a trip. */
interface PositionInTrips {
  readonly tripId: number
  readonly hasChanged: boolean
}

const unchanged = " unchanged"

const textOfPosition = ({ hasChanged, tripId }: PositionInTrips) => `${tripId}${hasChanged ? "" : unchanged}`

const positionOf = (text: string): PositionInTrips => ({
  tripId: Number(text.replace(unchanged, "")),
  hasChanged: text !== notBegun && !text.endsWith(unchanged)
})

type OnWindow = (window: ErasedWindow) => void

/**
 * Erases all data of a retired person except for the person's own records, and returns the numbers. It continues after the
 * windows of the journal that are done. Local times in events are in the given time zone. Files are removed before their
 * rows, so that an interruption leaves no file without a row.
 */
export class ErasureSteps extends Context.Service<
  ErasureSteps,
  <E>(
    person: Person,
    timezone: string,
    journal: ErasureJournal<E>,
    onProgress: OnProgress | undefined
  ) => Effect.Effect<ErasureCounts, FilesUnavailable | E>
>()("@livery/domain/ErasureSteps") {
  static readonly layer = Layer.effect(
    ErasureSteps,
    Effect.gen(function* () {
      const personal = yield* PersonalData
      const unitOfWork = yield* TripUnitOfWork
      const files = yield* FileStore
      const { erasedAmong, eraseMessagesAbout, eraseSent } = yield* makeErasedMessages

      const eraseFiles = Effect.fnUntraced(function* <E>(person: Person, journal: ErasureJournal<E>) {
        const { business_id } = person
        if (business_id === null || journal.done("files").after === null) return journal.done("files").count
        const names = yield* personal.fileNames(person)
        for (let from = 0; from < names.length; from += batchSizes.files) {
          const these = names.slice(from, from + batchSizes.files)
          yield* Effect.forEach(these, files.remove, { discard: true })
          yield* journal.window(
            "files",
            Effect.as(personal.forgetUploads(business_id, these), {
              count: these.length,
              next: ""
            })
          )
        }
        yield* journal.window("files", Effect.succeed({ count: 0, next: null }))
        return journal.done("files").count
      })

      const eraseBatchOfTrips = Effect.fnUntraced(function* (
        person: Person,
        timezone: string,
        after: number
      ) {
        const locked = yield* personal.lockTrips(person, after, batchSizes.records)
        const erased = locked.flatMap((before) => {
          const after = tripWithoutPerson(before, person)
          return Equal.equals(after, before)
            ? []
            : [{ before, after, isCustomer: isCustomerOf(before, person) }]
        })
        const [first] = erased
        if (first === undefined) return { locked, count: 0 }
        const { business_id } = first.before
        const ownTripIds = erased
          .filter(({ isCustomer }) => isCustomer)
          .map(({ after: { trip_id } }) => trip_id)
        if (ownTripIds.length > 0)
          yield* personal.eraseBesideTrips(business_id, ownTripIds, yield* DateTime.now)
        const others = erased.filter(({ isCustomer }) => !isCustomer)
        if (others.length > 0)
          yield* eraseMessagesAbout(person, new Set(others.map(({ after: { trip_id } }) => trip_id)))
        yield* unitOfWork.erasePerson({ business_id, timezone }, erased)
        return { locked, count: erased.length }
      })

      /** Repeats the pass over the trips until it changes none, because a request may have changed one meanwhile. */
      const eraseTrips = <E>(
        person: Person,
        timezone: string,
        journal: ErasureJournal<E>,
        onWindow: OnWindow
      ) =>
        journal.windows(
          "trips",
          Effect.fnUntraced(function* (after) {
            const position = positionOf(after)
            const { count, locked } = yield* eraseBatchOfTrips(person, timezone, position.tripId)
            const hasChanged = position.hasChanged || count > 0
            const last = locked.at(-1)
            if (locked.length === batchSizes.records && last !== undefined)
              return { count, next: textOfPosition({ tripId: last.trip_id, hasChanged }) }
            return { count, next: hasChanged ? notBegun : null }
          }),
          onWindow
        )

      /** Repeats a step that erases a batch of the records that remain, until none remains. */
      const repeatStep = <E>(
        step: string,
        erase: (now: DateTime.Utc) => Effect.Effect<number>,
        journal: ErasureJournal<E>,
        onWindow: OnWindow
      ) =>
        journal.windows(
          step,
          () =>
            Effect.map(Effect.flatMap(DateTime.now, erase), (count) => ({
              count,
              next: count === batchSizes.records ? notBegun : null
            })),
          onWindow
        )

      const eraseAssignments = Effect.fnUntraced(function* <E>(
        person: Person,
        journal: ErasureJournal<E>,
        onWindow: OnWindow
      ) {
        const { business_id } = person
        if (business_id === null || person.driver_ids.length === 0) return 0
        return yield* journal.windows(
          "assignments",
          Effect.fnUntraced(function* (after) {
            const locked = yield* personal.lockAssignments(person, Number(after), batchSizes.records)
            const assignmentIds = locked.map(({ assignment_id }) => assignment_id)
            yield* personal.erasePositions(business_id, assignmentIds)
            yield* unitOfWork.eraseReports(business_id, assignmentIds)
            return {
              count: assignmentIds.length,
              next: assignmentIds.length === batchSizes.records ? String(assignmentIds.at(-1)) : null
            }
          }),
          onWindow
        )
      })

      const eraseInvoices = <E>(person: Person, journal: ErasureJournal<E>, onWindow: OnWindow) =>
        journal.windows(
          "invoices",
          (after) =>
            Effect.map(personal.eraseInvoices(person, Number(after), batchSizes.records), (ids) => ({
              count: ids.length,
              next: ids.length === batchSizes.records ? String(ids.at(-1)) : null
            })),
          onWindow
        )

      /** Erases the views of members that name the person. */
      const eraseViews = Effect.fnUntraced(function* (person: Person) {
        const views = person.business_id === null ? [] : yield* personal.views(person.business_id)
        const own = views.filter((view) => isViewOf(view, person))
        if (own.length > 0) yield* personal.removeViews(own.map(({ view_id }) => view_id))
        return own.length
      })

      const eraseBatchOfDocuments = Effect.fnUntraced(function* (
        kind: DocumentKind,
        person: Person,
        after: string
      ) {
        const { documents: found, next } = yield* personal.documents(kind, person, after, sizeOfPage(kind))
        const documents = found.filter(({ content }) => isWithin(person, kind, content))
        const references = documents.flatMap(({ content }) => referencesIn(content))
        const erased = new Set((yield* erasedAmong(person, references)).map(keyOf))
        const rules = {
          isErased: (reference: Reference) => erased.has(keyOf(reference)),
          isMention: (text: string) =>
            mentions(text, person) || (kind === "audit" && mentionsName(text, person.names))
        }
        const changed = documents.flatMap(({ content, key }) => {
          // A message that names or mentions the person is not sent any more.
          if (kind === "messages" && referencesIn(content).some(rules.isErased))
            return [{ key, content: null }]
          const after = redacted(content, rules)
          return after === content ? [] : [{ key, content: kind === "messages" ? null : after }]
        })
        yield* personal.saveDocuments(kind, person.business_id, changed)
        return { count: changed.length, next }
      })

      return ErasureSteps.of(
        traced("ErasureSteps.run")(function* (person, timezone, journal, onProgress) {
          const total = onProgress === undefined ? 0 : yield* personal.size(person, maxCounted)
          let done = 0
          const onBatch = (count: number) => onProgress?.(Math.min((done += count), total), total)
          const onWindow: OnWindow = ({ count }) => onBatch(count)
          onBatch(0)
          const inBusiness = <E2>(step: Effect.Effect<number, E2>) =>
            person.business_id === null ? Effect.succeed(0) : step
          const eraseTemplates = (step: string) =>
            inBusiness(
              repeatStep(step, () => personal.eraseTemplates(person, batchSizes.records), journal, onWindow)
            )
          const files = yield* eraseFiles(person, journal)
          yield* eraseTemplates("templates")
          const counts = {
            files,
            // Before the trips, because a quote or a booking that still names the person may become a trip at any time.
            quotes: yield* inBusiness(
              repeatStep(
                "quotes",
                (now) => personal.eraseQuotes(person, batchSizes.records, now),
                journal,
                onWindow
              )
            ),
            bookings: yield* inBusiness(
              repeatStep(
                "bookings",
                (now) => personal.eraseBookings(person, batchSizes.records, now),
                journal,
                onWindow
              )
            ),
            trips: yield* inBusiness(eraseTrips(person, timezone, journal, onWindow)),
            assignments: yield* eraseAssignments(person, journal, onWindow)
          }
          yield* inBusiness(
            journal.windows(
              "views",
              () => Effect.map(eraseViews(person), (count) => ({ count, next: null })),
              onWindow
            )
          )
          // Once more, because a template may have been made from a trip before that trip was erased.
          yield* eraseTemplates("later templates")
          const documents = { changes: 0, events: 0, audit_entries: 0, responses: 0, messages: 0 }
          for (const kind of documentKinds) {
            const step = journal.windows(
              kind,
              (after) => eraseBatchOfDocuments(kind, person, after),
              () => onBatch(sizeOfPage(kind))
            )
            documents[countNames[kind]] = yield* isOfBusiness(kind) ? inBusiness(step) : step
          }
          // At the end, because an invoice that is sealed meanwhile still shows how its customer is reached.
          yield* inBusiness(eraseInvoices(person, journal, onWindow))
          const sent_messages = yield* eraseSent(person)
          onProgress?.(total, total)
          return { ...counts, ...documents, sent_messages }
        })
      )
    })
  ).pipe(Layer.provide(TripUnitOfWork.layer))
}
