import {
  CustomerId,
  type BusinessId,
  contentOfRequest,
  type DocumentKind,
  type ErasedKind,
  erasedBooking,
  erasedQuote,
  erasedQuoteItem,
  hasMention,
  mentions,
  OpenedRequest,
  type Person,
  PersonalData,
  type PersonalDocument,
  type Reference,
  referencesIn,
  type ResponseContent,
  withContent
} from "@livery/domain"
import { Schema } from "effect"
import { ascending } from "../store/Pages.ts"
import type { AuditRow, TimelineRow } from "../store/Rows.ts"
import { pair, inMemory } from "../store/Store.ts"
import { storedTrips } from "../trips/StoredTrips.ts"
import { eraseEmailsOfTrips, eraseInvoices } from "./ErasedInvoices.ts"
import { isOfPerson, personRecords } from "./PersonRecords.ts"

const openRequest = Schema.decodeUnknownSync(OpenedRequest)
const closeRequest = Schema.encodeSync(OpenedRequest)

const keyOf = (businessId: BusinessId, { id, kind }: Reference) => JSON.stringify([businessId, kind, id])

export const layer = inMemory(PersonalData, (store) => {
  const { assignments, audit, bookings, erased, events, idempotency, links, mail, positions } = store
  const { quotes, retained, step, timeline, tripFares, tripTemplates, trips } = store
  const { withDrivers } = storedTrips(store)

  const markErased = (businessId: BusinessId, kind: ErasedKind, id: number) =>
    erased.set(keyOf(businessId, { kind, id }), { business_id: businessId, reference: { kind, id } })

  const isPersonal = (person: Person, content: unknown) =>
    hasMention(content, (text) => mentions(text, person)) ||
    person.driver_ids.length + person.customer_ids.length > 0

  /** Whether a copy is of an erased trip or quote, which need not mention the person. */
  const isOfErased = ({ business_id }: Person, content: unknown) =>
    business_id !== null &&
    referencesIn(content).some(
      (reference) =>
        (reference.kind === "trip" || reference.kind === "quote") &&
        erased.get(keyOf(business_id, reference)) !== undefined
    )

  const auditContent = ({ after, before, reason, subject }: AuditRow, { user_ids }: Person) => ({
    before: before ?? null,
    after: after ?? null,
    reason: reason ?? null,
    user_id: user_ids.find((id) => subject === `user:${id}`) ?? null
  })
  const changeContent = ({ after, before, driver_id }: TimelineRow) => ({ driver_id, before, after })

  /** All copies of a kind in the person's business. */
  const documentsOf = (kind: DocumentKind, person: Person): ReadonlyArray<PersonalDocument> => {
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
        return idempotency
          .where()
          .flatMap(({ key, request }) =>
            request === null ? [] : [{ key, content: contentOfRequest(openRequest(request)) }]
          )
    }
  }

  const replaceResponse = (key: string, content: ResponseContent) => {
    const request = idempotency.get(key)?.request ?? null
    if (request !== null)
      idempotency.change(key, { request: closeRequest(withContent(openRequest(request), content)) })
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
        const row = audit.get(Number(key))
        if (row === undefined) return
        const { after, before, reason } = fields
        const { reason: _reason, ...kept } = row
        const erasedRow = { ...kept, before, after }
        return void audit.set(row.auditId, typeof reason === "string" ? { ...erasedRow, reason } : erasedRow)
      }
      case "messages":
        return void mail.remove(Number(key))
      case "responses":
        return replaceResponse(key, content as ResponseContent)
    }
  }

  return {
    ...personRecords(store),
    lockTrips: (person, after, limit) =>
      step(() =>
        trips
          .where((trip) => trip.trip_id > after && isOfPerson(person)(trip))
          .toSorted(ascending(({ trip_id }) => [trip_id]))
          .slice(0, limit)
          .map(withDrivers)
      ),
    eraseBesideTrips: (business_id, tripIds) =>
      step(() => {
        for (const trip_id of tripIds) {
          const before = trips.get(trip_id)
          if (before === undefined) continue
          const { cost_center, customer_name, invoice_id, po_number } = before
          if (invoice_id !== null && retained.get(pair("trip", trip_id)) === undefined)
            retained.set(pair("trip", trip_id), {
              business_id,
              party: { customer_name, po_number, cost_center }
            })
          links.remove(trip_id)
          store.flightChecks.remove(trip_id)
          tripFares.remove(trip_id)
          for (const row of assignments.where((each) => each.trip_id === trip_id))
            positions.remove(row.assignment_id)
          markErased(business_id, "trip", trip_id)
        }
        eraseEmailsOfTrips(store, business_id, tripIds)
      }),
    eraseQuotes: (person, limit, now) =>
      step(() => {
        const own = quotes.where(isOfPerson(person)).slice(0, limit)
        for (const { business_id, items, quote_id, version } of own) {
          quotes.change(quote_id, {
            ...erasedQuote,
            items: items.map((item) => ({ ...item, ...erasedQuoteItem })),
            version: version + 1,
            updated_at: now
          })
          markErased(business_id, "quote", quote_id)
        }
        return own.length
      }),
    eraseBookings: (person, limit, now) =>
      step(() => {
        const own = bookings.where(isOfPerson(person)).slice(0, limit)
        for (const { booking_id, business_id } of own) {
          bookings.change(booking_id, { ...erasedBooking, updated_at: now })
          markErased(business_id, "booking", booking_id)
        }
        return own.length
      }),
    eraseTemplates: (person, limit) =>
      step(() => {
        const isOwn = isOfPerson(person)
        const own = tripTemplates
          .where((row) => {
            const { customer_id } = row.trip
            return isOwn({
              ...row,
              customer_id: typeof customer_id === "number" ? CustomerId.make(customer_id) : null
            })
          })
          .slice(0, limit)
        for (const { template_id } of own) tripTemplates.remove(template_id)
        return own.length
      }),
    eraseInvoices: (person, after, limit) => step(() => eraseInvoices(store)(person, after, limit)),
    lockAssignments: ({ business_id: business, driver_ids }, after, limit) =>
      step(() =>
        assignments
          .where(
            ({ assignment_id, business_id, driver_id }) =>
              business_id === business && driver_ids.includes(driver_id) && assignment_id > after
          )
          .toSorted(ascending(({ assignment_id }) => [assignment_id]))
          .slice(0, limit)
      ),
    erasePositions: (_businessId, assignmentIds) =>
      step(() => {
        for (const id of assignmentIds) positions.remove(id)
      }),
    erasedAmong: (businessId, references) =>
      step(() =>
        businessId === null
          ? []
          : references.filter((reference) => erased.get(keyOf(businessId, reference)) !== undefined)
      ),
    documents: (kind, person) =>
      step(() => ({
        documents: documentsOf(kind, person).filter(
          ({ content }) => kind === "audit" || isPersonal(person, content) || isOfErased(person, content)
        ),
        next: null
      })),
    saveDocuments: (kind, _businessId, documents) =>
      step(() => {
        for (const document of documents) saveDocument(kind, document)
      })
  }
})
