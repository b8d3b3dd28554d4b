/** The contract of `PersonalData`: finding a person. */
import {
  BookingRepository,
  CustomerRepository,
  tripWithoutPerson,
  InvoiceRepository,
  type Person,
  PersonalData,
  QuoteRepository,
  Transaction,
  TripRepository
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { contract, unique } from "./Contract.ts"
import { businessWithProduct } from "./BookingRepository.ts"
import { invoiceDraft } from "./InvoiceDraft.ts"
import { newQuote } from "./QuoteRepository.ts"
import { changeTrip, newBusiness, newCustomer, newDriver, newTrip, newUser, now } from "./Given.ts"

const personOf = <A>(found: Option.Option<A>) => Option.getOrThrow(found)

export const personRecords = contract("a person", (it) => {
  it.effect("is found by the record, in its own business alone, and also after a deletion", () =>
    Effect.gen(function* () {
      const personal = yield* PersonalData
      const customers = yield* CustomerRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const email = `${unique("ada")}@example.com`
      const customer = yield* newCustomer(business, { name: "Ada", email, phone: "+41 44 668 18 00" })
      const person = personOf(yield* personal.ofCustomer(business, customer))
      const expected: Person = {
        business_id: business,
        customer_ids: [customer],
        driver_ids: [],
        user_ids: [],
        names: ["Ada"],
        emails: [email],
        phones: []
      }
      assert.deepStrictEqual(person, expected)
      assert.deepStrictEqual(yield* personal.ofCustomer(other, customer), Option.none())
      assert.deepStrictEqual(yield* personal.ofDriver(other, yield* newDriver(business)), Option.none())
      const contact = { email: null, phone: "+41446681800", country: "CH" }
      assert.deepStrictEqual(yield* personal.ofContact(business, contact), {
        ...expected,
        phones: ["+41446681800"],
        country: "CH"
      })
      yield* newTrip(business, { customer_id: customer })
      yield* customers.remove(business, customer, now)
      assert.deepStrictEqual(yield* personal.ofCustomer(business, customer), Option.some(expected))
      const user = yield* newUser
      assert.deepInclude(personOf(yield* personal.ofUser(user)), { business_id: null, user_ids: [user] })
    })
  )

  it.effect("is found by a phone number in each spelling, and by no other number", () =>
    Effect.gen(function* () {
      const personal = yield* PersonalData
      const business = yield* newBusiness
      const spellings = [
        "+44 (0)20 7946 0018",
        "0044 20 7946 0018",
        "020 7946 0018",
        "+442079460018 ext. 12",
        "020-7946-0018x3",
        "\u0660\u0662\u0660 \u0667\u0669\u0664\u0666 \u0660\u0660\u0661\u0668",
        "+\u096a\u096a \u0968\u0966 \u096d\u096f\u096a\u096c \u0966\u0966\u0967\u096e"
      ]
      const own = yield* Effect.forEach(spellings, (phone) => newCustomer(business, { phone }))
      const others = ["+44 20 7946 00180", "+1 207 946 0018", "+44 20 7946 0019", "07946 0018"]
      yield* Effect.forEach(others, (phone) => newCustomer(business, { phone }))
      const contact = { email: null, phone: "+442079460018", country: "GB" }
      const { customer_ids } = yield* personal.ofContact(business, contact)
      assert.deepStrictEqual(customer_ids, own)
      const trips = yield* Effect.forEach([...spellings, ...others], (customer_phone) =>
        newTrip(business, { customer_phone })
      )
      const carrying = yield* Effect.forEach(spellings, (phone) =>
        newTrip(business, { passengers: [{ name: "Ada", phone, email: null }] })
      )
      const person = { ...(yield* personal.ofContact(business, contact)), customer_ids: [] }
      const locked = yield* (yield* Transaction).run(personal.lockTrips(person, 0, 100))
      assert.deepStrictEqual(
        locked.map(({ trip_id }) => trip_id),
        [...trips.slice(0, spellings.length), ...carrying].map(({ trip_id }) => trip_id)
      )
    })
  )

  it.effect("is open while a trip is, and retired records can no longer be referred to", () =>
    Effect.gen(function* () {
      const personal = yield* PersonalData
      const customers = yield* CustomerRepository
      const transaction = yield* Transaction
      const business = yield* newBusiness
      const customer = yield* newCustomer(business, { name: "Ada" })
      const { trip_id } = yield* newTrip(business, { customer_id: customer })
      const person = personOf(yield* personal.ofCustomer(business, customer))
      assert.deepInclude(yield* personal.openWork(person, 5), { trip_ids: [trip_id], invoice_ids: [] })
      assert.isAbove(yield* personal.size(person, 5), 0)
      yield* transaction.run(personal.retire(person, now))
      assert.deepStrictEqual(yield* customers.find(business, customer), Option.none())
    })
  )

  it.effect(
    "has an open invoice while that of a booking without a trip is not paid, also of a former booking",
    () =>
      Effect.gen(function* () {
        const personal = yield* PersonalData
        const invoices = yield* InvoiceRepository
        const { business, stored: newBooking } = yield* businessWithProduct
        const email = `${unique("ada")}@example.com`
        const raise = invoices.insert(invoiceDraft(business, { total_minor: 900, status: "partial" }), now)
        const [cancelled, deleted, other] = [yield* raise, yield* raise, yield* raise]
        const paid = yield* invoices.insert(invoiceDraft(business, { total_minor: 900, status: "paid" }), now)
        const ended = { status: "cancelled", customer_email: email } as const
        for (const { invoice_id } of [cancelled, paid]) yield* newBooking({ ...ended, invoice_id })
        yield* newBooking({ status: "cancelled", invoice_id: other.invoice_id })
        const { booking_id } = yield* newBooking({ ...ended, invoice_id: deleted.invoice_id })
        yield* (yield* BookingRepository).remove(business, booking_id, now)
        const person = yield* personal.ofContact(business, { email, phone: null })
        assert.deepStrictEqual(yield* personal.openWork(person, 100), {
          trip_ids: [],
          quote_ids: [],
          booking_ids: [],
          invoice_ids: [cancelled.invoice_id, deleted.invoice_id]
        })
      })
  )

  it.effect("finds a deleted trip, which stays deleted", () =>
    Effect.gen(function* () {
      const personal = yield* PersonalData
      const trips = yield* TripRepository
      const transaction = yield* Transaction
      const business = yield* newBusiness
      const email = `${unique("ada")}@example.com`
      const { trip_id } = yield* newTrip(business, { customer_email: email })
      yield* changeTrip(business, trip_id, { deleted_at: now })
      const person = yield* personal.ofContact(business, { email, phone: null })
      yield* transaction.run(
        Effect.gen(function* () {
          for (const trip of yield* personal.lockTrips(person, 0, 10)) {
            assert.deepInclude(trip, { trip_id, deleted_at: now })
            yield* trips.update(tripWithoutPerson(trip, person), trip)
          }
        })
      )
      assert.deepStrictEqual(yield* personal.lockTrips(person, 0, 10), [])
      assert.deepStrictEqual(yield* trips.find(business, trip_id), Option.none())
    })
  )

  it.effect("is found by a whole email, in any text of a trip, a quote and a booking", () =>
    Effect.gen(function* () {
      const personal = yield* PersonalData
      const transaction = yield* Transaction
      const { business, stored: newBooking } = yield* businessWithProduct
      const email = `${unique("ada")}@example.com`
      const person = yield* personal.ofContact(business, { email, phone: null })
      const item = { description: "Ride", trip: null, amount_minor: 900, fare: null }
      for (const other of [
        `jo${email}`,
        `jo-${email}`,
        `é${email}`,
        `${email}.au`,
        `${email}-cars.de`,
        `${email}munity`
      ]) {
        const notes = `Ask\n${other}\nfirst`
        yield* newTrip(business, { customer_email: other, notes, group_id: other })
        yield* newTrip(business, { internal_notes: notes, metadata: { contact: other } })
        yield* newQuote(business, { customer_email: other, notes, items: [{ ...item, description: notes }] })
        yield* newBooking({ customer_email: other, notes })
      }
      const stops = [{ address: "A", lat: null, lng: null, minutes: null, contact: `Ask\n${email}\tfirst` }]
      const trips = [
        yield* newTrip(business, { customer_email: email }),
        yield* newTrip(business, { notes: `Ask\n${email}.` }),
        yield* newTrip(business, { stops }),
        yield* newTrip(business, {
          passengers: [{ name: `Ada <${email.toUpperCase()}>`, email: null, phone: null }]
        })
      ]
      const quotes = [
        yield* newQuote(business, { customer_email: email }),
        yield* newQuote(business, { accepted_by: `${email}.au, '${email}'` }),
        yield* newQuote(business, { items: [{ ...item, description: `Ask\n-${email}` }] })
      ]
      const bookings = [yield* newBooking({ notes: `Ask\n${email}` })]
      assert.deepInclude(yield* personal.openWork(person, 100), {
        trip_ids: trips.map(({ trip_id }) => trip_id),
        quote_ids: quotes.map(({ quote_id }) => quote_id),
        booking_ids: bookings.map(({ booking_id }) => booking_id)
      })
      yield* transaction.run(
        Effect.gen(function* () {
          const locked = yield* personal.lockTrips(person, 0, 100)
          assert.deepStrictEqual(
            locked.map(({ trip_id }) => trip_id),
            trips.map(({ trip_id }) => trip_id)
          )
          assert.strictEqual(yield* personal.eraseQuotes(person, 100, now), quotes.length)
          assert.strictEqual(yield* personal.eraseBookings(person, 100, now), bookings.length)
        })
      )
      // A price that is computed for the earlier offer is not stored any more.
      const repository = yield* QuoteRepository
      for (const { quote_id, version } of quotes) {
        const erased = Option.getOrThrow(yield* repository.find(business, quote_id))
        assert.strictEqual(erased.version, version + 1)
      }
    })
  )

  it.effect("is not found by a number that has the digits of a phone number", () =>
    Effect.gen(function* () {
      const personal = yield* PersonalData
      const { business } = yield* businessWithProduct
      const person = yield* personal.ofContact(business, { email: null, phone: "+4712345" })
      const item = { description: "Ride", trip: null, amount_minor: 4_712_345, fare: null }
      const numbers = { distance_m: 4_712_345, pickup_lat: 47.12345, metadata: { a: "b" } }
      const stop = { address: "A", contact: null, minutes: null }
      yield* newTrip(business, { ...numbers, stops: [{ ...stop, lat: 47.12345, lng: 8 }] })
      yield* newQuote(business, { items: [{ ...item, trip: { distance_m: 4_712_345, lat: 47.12345 } }] })
      const { trip_id } = yield* newTrip(business, { metadata: { other: "x", phone: "(47) 123-45" } })
      const { trip_id: second } = yield* newTrip(business, {
        stops: [{ ...stop, lat: null, lng: null, contact: "Call: 4712345" }]
      })
      const { quote_id } = yield* newQuote(business, { items: [{ ...item, description: "+47 12345" }] })
      assert.deepInclude(yield* personal.openWork(person, 100), {
        trip_ids: [trip_id, second],
        quote_ids: [quote_id]
      })
    })
  )
})
