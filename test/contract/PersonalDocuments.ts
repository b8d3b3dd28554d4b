/** The contract of `PersonalData` for stored documents: events, the timeline, the audit log and stored responses. */
import {
  AuditHistory,
  AuditLog,
  type DocumentPage,
  EventHistory,
  EventLog,
  IdempotencyStore,
  leastResponseRetention,
  MailOutbox,
  type Person,
  PersonalData,
  TimelineRepository,
  Transaction
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { contract, unique } from "./Contract.ts"
import { newBusiness, newCustomer, newDriver, newTrip, now, wholeList } from "./Given.ts"

const personOf = <A>(found: Option.Option<A>) => Option.getOrThrow(found)

export const personalDocuments = contract("the data of a person in stored documents", (it) => {
  it.effect("is found in events: an email in any case, a phone number in any spelling, ids of records", () =>
    Effect.gen(function* () {
      const personal = yield* PersonalData
      const log = yield* EventLog
      const transaction = yield* Transaction
      const business = yield* newBusiness
      const [customer, driver] = [yield* newCustomer(business), yield* newDriver(business)]
      const { trip_id } = yield* newTrip(business)
      yield* transaction.run(personal.eraseBesideTrips(business, [trip_id], now))
      const email = `${unique("ada")}@example.com`
      const record = Effect.fnUntraced(function* (data: object) {
        const eventId = unique("evt")
        const body = JSON.stringify({ id: eventId, data, meta: { business_id: business } })
        yield* log.record({ eventId, businessId: business, type: "trip.updated", body })
        return eventId
      })
      const found = (person: Person) =>
        Effect.map(personal.documents("events", person, "", 100), ({ documents }) =>
          documents.map(({ key }) => key)
        )
      const mentions = [
        yield* record({ notes: `Ask ${email.toUpperCase()}` }),
        yield* record({ customer_phone: "+41 (44) 668-18-00" }),
        yield* record({ stops: [{ contact: "41446681800" }] })
      ]
      const others = [
        yield* record({ customer_phone: "+41 44 668 18 001" }),
        yield* record({ notes: "41 44", terminal: "668 18 00" })
      ]
      const ofErasedTrip = yield* record({ trip_id, customer_name: "Ada" })
      const contact = yield* personal.ofContact(business, { email, phone: "+41446681800" })
      const ofContact = yield* found(contact)
      assert.includeMembers(ofContact, [...mentions, ofErasedTrip])
      for (const other of others) assert.notInclude(ofContact, other)
      for (const [field, id, person] of [
        ["customer_id", customer, personOf(yield* personal.ofCustomer(business, customer))],
        ["driver_id", driver, personOf(yield* personal.ofDriver(business, driver))],
        ["trip_id", trip_id, personOf(yield* personal.ofCustomer(business, customer))]
      ] as const) {
        const named = [
          yield* record({ [field]: id, notes: null }),
          yield* record({ first: { [field]: null }, second: { notes: null, [field]: id } }),
          yield* record({ items: [{ [field]: 999_999_999 }, { [field]: id, description: "Here" }] })
        ]
        assert.includeMembers(yield* found(person), named, field)
      }
    })
  )

  it.effect("is found in the timeline of a trip that has another customer now", () =>
    Effect.gen(function* () {
      const personal = yield* PersonalData
      const timelines = yield* TimelineRepository
      const business = yield* newBusiness
      const customer = yield* newCustomer(business, { name: "Ada" })
      const { trip_id } = yield* newTrip(business)
      const [own, none] = [
        { customer_id: customer, notes: "Ring the bell" },
        { customer_id: null, notes: null }
      ]
      const change = { change: "updated", driver_id: null } as const
      const entries = [
        { ...change, before: none, after: own },
        { ...change, before: own, after: none }
      ]
      yield* timelines.append(business, [{ tripId: trip_id, entries }], now)
      const person = personOf(yield* personal.ofCustomer(business, customer))
      const { documents } = yield* personal.documents("changes", person, "", 100)
      assert.includeDeepMembers(
        documents.map(({ content }) => content),
        [
          { driver_id: null, before: none, after: own },
          { driver_id: null, before: own, after: none }
        ]
      )
    })
  )

  it.effect("is replaced in events and in the timeline, and its messages are deleted", () =>
    Effect.gen(function* () {
      const personal = yield* PersonalData
      const transaction = yield* Transaction
      const business = yield* newBusiness
      const email = `${unique("ada")}@example.com`
      const person = yield* personal.ofContact(business, { email, phone: null })
      const { trip_id } = yield* newTrip(business)
      for (const note of ["first", "second"]) {
        const eventId = unique("evt")
        const body = JSON.stringify({ id: eventId, data: { notes: note, customer_email: email } })
        yield* (yield* EventLog).record({ eventId, businessId: business, type: "trip.updated", body })
        const change = {
          change: "updated",
          driver_id: null,
          before: { notes: note },
          after: { notes: email }
        } as const
        yield* (yield* TimelineRepository).append(business, [{ tripId: trip_id, entries: [change] }], now)
        yield* (yield* MailOutbox).post({ to: email, subject: note, text: "Hello" })
      }
      for (const kind of ["events", "changes", "messages"] as const) {
        const found = Effect.map(personal.documents(kind, person, "", 10_000), ({ documents }) =>
          documents.filter(({ content }) => JSON.stringify(content).includes(email))
        )
        const documents = yield* found
        assert.lengthOf(documents, 2, kind)
        const changed = documents.map(({ content, key }) => ({
          key,
          content:
            kind === "messages" ? null : JSON.parse(JSON.stringify(content).replaceAll(email, "Erased"))
        }))
        yield* transaction.run(personal.saveDocuments(kind, business, changed))
        assert.deepStrictEqual(yield* found, [], kind)
      }
      const { bodies } = Option.getOrThrow(yield* (yield* EventHistory).after(business, undefined, 10))
      assert.deepStrictEqual(
        bodies.map((body) => JSON.parse(body).data),
        ["first", "second"].map((notes) => ({ notes, customer_email: "Erased" }))
      )
    })
  )

  it.effect("is replaced in the audit log, and a reason that is erased is removed", () =>
    Effect.gen(function* () {
      const personal = yield* PersonalData
      const [audit, history] = [yield* AuditLog, yield* AuditHistory]
      const transaction = yield* Transaction
      const business = yield* newBusiness
      const email = `${unique("ada")}@example.com`
      const person = yield* personal.ofContact(business, { email, phone: null })
      const actor = unique("user")
      for (const reason of ["first", "second"])
        yield* audit.record({
          actor,
          action: "a",
          subject: "b",
          businessId: business,
          after: { email },
          reason
        })
      const { documents } = yield* personal.documents("audit", person, "", 100)
      const contents = [
        { after: { email: null }, reason: null },
        { before: { a: 1 }, reason: "Erased" }
      ]
      const changed = documents.map(({ content, key }, index) => ({
        key,
        content: { ...(content as object), ...contents[index] }
      }))
      yield* transaction.run(personal.saveDocuments("audit", business, changed))
      const { items } = yield* history.list({ actor }, wholeList)
      assert.deepStrictEqual(
        items.map(({ after, before, reason }) => ({ after, before, reason })),
        [
          { after: { email }, before: { a: 1 }, reason: "Erased" },
          { after: { email: null }, before: null, reason: null }
        ]
      )
    })
  )

  it.effect("is found and replaced in the stored responses of requests", () =>
    Effect.gen(function* () {
      const personal = yield* PersonalData
      const requests = yield* IdempotencyStore
      const transaction = yield* Transaction
      const business = yield* newBusiness
      const email = `${unique("ada")}@example.com`
      const person = yield* personal.ofContact(business, { email, phone: null })
      const key = unique("key")
      const response = (body: object) =>
        JSON.stringify({ status: 201, body: JSON.stringify(body), headers: { etag: "1" } })
      const [answer, part] = [{ data: { customer_email: email } }, { customer_email: email, id: 1 }]
      yield* transaction.run(
        Effect.gen(function* () {
          const { lease } = yield* requests.claim(key, leastResponseRetention)
          const parts = { first: JSON.stringify(part) }
          const stored = { business_id: business, content: "digest", response: response(answer), parts }
          assert.isTrue(yield* requests.save(key, lease, stored))
        })
      )
      const contentOf = Effect.gen(function* () {
        let after: string | null = ""
        while (after !== null) {
          const page: DocumentPage = yield* personal.documents("responses", person, after, 100)
          for (const { content, key } of page.documents)
            if (JSON.stringify(content).includes(email)) return { key, content }
          after = page.next
        }
        return undefined
      })
      const found = yield* contentOf
      assert.deepStrictEqual(found, {
        key,
        content: { business_id: business, body: answer, parts: { first: part } }
      })
      const content = { body: { data: {} }, parts: { first: { id: 1 } } }
      yield* transaction.run(personal.saveDocuments("responses", business, [{ key, content }]))
      assert.isUndefined(yield* contentOf)
      const { earlier } = yield* transaction.run(requests.claim(key, leastResponseRetention))
      assert.deepInclude(Option.getOrThrow(earlier), {
        business_id: business,
        content: "digest",
        response: response({ data: {} }),
        parts: { first: JSON.stringify({ id: 1 }) }
      })
    })
  )
})
