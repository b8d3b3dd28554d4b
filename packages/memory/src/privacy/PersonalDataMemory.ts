/** The domain's `PersonalData` in memory. */
import {
  type AssignmentId,
  type BusinessId,
  type DocumentKind,
  type ErasedKind,
  erasedText,
  hasMention,
  mentions,
  type Person,
  PersonalData,
  type PersonalDocument,
  personalFields,
  type Reference
} from "@livery/domain"
import { Effect, Layer } from "effect"
import { ascending } from "../store/Pages.ts"
import type { AuditRow, TimelineRow } from "../store/Rows.ts"
import { pair, Store } from "../store/Store.ts"
import { storedTrips } from "../trips/StoredTrips.ts"
import { isOfPerson, personRecords } from "./PersonRecords.ts"

type Fields = Readonly<Record<string, unknown>>

const withoutPersonal = (fields: Fields | null): Fields | null =>
  fields &&
  Object.fromEntries(
    Object.entries(fields).filter(([name]) => !(personalFields as ReadonlyArray<string>).includes(name))
  )

const keyOf = (businessId: BusinessId, { id, kind }: Reference) => JSON.stringify([businessId, kind, id])

export const layer = Layer.effect(
  PersonalData,
  Effect.map(Store, (store) => {
    const { assignments, audit, bookings, erased, events, idempotency, links, mail, positions } = store
    const { quotes, retained, step, timeline, tripFares, trips } = store
    const { withDrivers } = storedTrips(store)

    const mark = (businessId: BusinessId, kind: ErasedKind, id: number) =>
      erased.set(keyOf(businessId, { kind, id }), { business_id: businessId, reference: { kind, id } })

    const erasePlaces = (assignmentId: AssignmentId) => {
      positions.remove(assignmentId)
      const milestones = assignments.get(assignmentId)?.milestones ?? []
      assignments.change(assignmentId, {
        endedTokenHash: null,
        milestones: milestones.map((reached) => ({ ...reached, lat: null, lng: null }))
      })
    }

    const isPersonal = (person: Person, content: unknown) =>
      hasMention(content, (text) => mentions(text, person)) ||
      person.driver_ids.length + person.customer_ids.length > 0

    const auditContent = ({ after, before, reason, subject }: AuditRow, { user_ids }: Person) => ({
      before: before ?? null,
      after: after ?? null,
      reason: reason ?? null,
      user_id: user_ids.find((id) => subject === `user:${id}`) ?? null
    })
    const changeContent = ({ after, before, driver_id }: TimelineRow) => ({ driver_id, before, after })

    const all = (kind: DocumentKind, person: Person): ReadonlyArray<PersonalDocument> => {
      const { business_id: business } = person
      switch (kind) {
        case "events":
          return events
            .where(({ businessId }) => businessId === business)
            .map(({ body, eventId }) => ({ key: eventId, content: JSON.parse(body) as unknown }))
        case "changes":
          return timeline
            .where(({ business_id }) => business_id === business)
            .map((row) => ({ key: String(row.change_id), content: changeContent(row) }))
        case "audit":
          return audit
            .where(({ businessId }) => business === null || businessId === business)
            .map((row) => ({ key: String(row.auditId), content: auditContent(row, person) }))
        case "messages":
          return mail.where().map(({ mail_id, message }) => ({ key: String(mail_id), content: message }))
        case "responses":
          // A row does not hold its own key, and responses in memory end with the process.
          return []
      }
    }

    const saveDocument = (kind: DocumentKind, { content, key }: PersonalDocument) => {
      const fields = (content ?? {}) as {
        readonly before: never
        readonly after: never
        readonly reason?: string | null
      }
      switch (kind) {
        case "events":
          return void events.change(key, { body: JSON.stringify(content) })
        case "changes":
          return void timeline.change(Number(key), { before: fields.before, after: fields.after })
        case "audit": {
          const { after, before, reason } = fields
          return void audit.change(Number(key), {
            before,
            after,
            ...(typeof reason === "string" ? { reason } : {})
          })
        }
        case "messages":
          return void mail.remove(Number(key))
        case "responses":
          return void idempotency.remove(key)
      }
    }

    return PersonalData.of({
      ...personRecords(store),
      lockTrips: (person, after, limit) =>
        step(() =>
          trips
            .where((trip) => trip.trip_id > after && isOfPerson(person)(trip))
            .toSorted(ascending(({ trip_id }) => [trip_id]))
            .slice(0, limit)
            .map((trip) => ({ trip: withDrivers(trip), isDeleted: trip.deleted_at !== undefined }))
        ),
      saveTrips: (saved) =>
        step(() => {
          for (const { isWhole, trip } of saved) {
            const { business_id, trip_id } = trip
            const before = trips.get(trip_id)
            if (before === undefined) continue
            const { cost_center, customer_name, invoice_id, po_number } = before
            if (isWhole && invoice_id !== null && retained.get(pair("trip", trip_id)) === undefined)
              retained.set(pair("trip", trip_id), {
                business_id,
                party: { customer_name, po_number, cost_center }
              })
            trips.change(trip_id, { ...trip, drivers: [], former_drivers: [] })
            for (const row of timeline.where((each) => each.trip_id === trip_id))
              timeline.change(row.change_id, {
                before: withoutPersonal(row.before),
                after: withoutPersonal(row.after)
              })
            if (!isWhole) continue
            links.remove(trip_id)
            tripFares.remove(trip_id)
            for (const row of assignments.where((each) => each.trip_id === trip_id))
              erasePlaces(row.assignment_id)
            mark(business_id, "trip", trip_id)
          }
        }),
      eraseQuotes: (person, limit, now) =>
        step(() => {
          const found = quotes.where(isOfPerson(person)).slice(0, limit)
          for (const { business_id, items, quote_id } of found) {
            const none = { customer_id: null, customer_email: null, customer_phone: null, notes: null }
            const ended = { accepted_by: null, accepted_address: null, reject_reason: null, token_hash: null }
            quotes.change(quote_id, {
              ...none,
              ...ended,
              customer_name: erasedText,
              items: items.map((item) => ({ ...item, description: erasedText, trip: null, fare: null })),
              updated_at: now
            })
            mark(business_id, "quote", quote_id)
          }
          return found.length
        }),
      eraseBookings: (person, limit, now) =>
        step(() => {
          const found = bookings.where(isOfPerson(person)).slice(0, limit)
          for (const { booking_id, business_id } of found) {
            const none = { customer_id: null, customer_email: null, customer_phone: null, notes: null }
            const places = { pickup_address: null, dropoff_address: null }
            bookings.change(booking_id, { ...none, ...places, customer_name: erasedText, updated_at: now })
            mark(business_id, "booking", booking_id)
          }
          return found.length
        }),
      eraseAssignments: ({ business_id: business, driver_ids }, after, limit) =>
        step(() => {
          const found = assignments
            .where(
              ({ assignment_id, business_id, driver_id }) =>
                business_id === business && driver_ids.includes(driver_id) && assignment_id > after
            )
            .toSorted(ascending(({ assignment_id }) => [assignment_id]))
            .slice(0, limit)
          for (const { assignment_id } of found) erasePlaces(assignment_id)
          return { count: found.length, last: found.at(-1)?.assignment_id ?? after }
        }),
      erasedAmong: (businessId, references) =>
        step(() =>
          businessId === null
            ? []
            : references.filter((reference) => erased.get(keyOf(businessId, reference)) !== undefined)
        ),
      documents: (kind, person) =>
        step(() => ({
          documents: all(kind, person).filter(
            ({ content }) => kind === "audit" || isPersonal(person, content)
          ),
          next: null
        })),
      saveDocument: (kind, _businessId, document) => step(() => saveDocument(kind, document))
    })
  })
)
