/** The contract of `PersonalData` for the snapshots of sealed invoices. */
import {
  type BusinessId,
  type CustomerId,
  InvoiceFactsRepository,
  type InvoiceId,
  InvoiceRepository,
  InvoiceSnapshotRepository,
  PersonalData,
  snapshotOf,
  Transaction,
  type TripId
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { contract, unique } from "./Contract.ts"
import { changeTrip, newBusiness, newCustomer, newTrip, now } from "./Given.ts"
import { invoiceDraft } from "./InvoiceDraft.ts"

/** A sealed invoice of these trips. */
export const newSealedInvoice = Effect.fnUntraced(function* (
  business: BusinessId,
  customer_id: CustomerId | null,
  tripIds: ReadonlyArray<TripId>
) {
  const invoice = yield* (yield* InvoiceRepository).insert(invoiceDraft(business, { customer_id }), now)
  for (const trip_id of tripIds) yield* changeTrip(business, trip_id, { invoice_id: invoice.invoice_id })
  const facts = yield* (yield* InvoiceFactsRepository).of(invoice)
  const snapshot = snapshotOf(invoice, facts, "Europe/Zurich")
  yield* (yield* InvoiceSnapshotRepository).insert(business, invoice.invoice_id, snapshot)
  return invoice.invoice_id
})

/** How the buyer and the customers of the trips are reached, as the snapshot of an invoice has it. */
export const contactsIn = Effect.fnUntraced(function* (business: BusinessId, id: InvoiceId) {
  const { buyer, trips } = Option.getOrThrow(
    yield* (yield* InvoiceSnapshotRepository).find(business, id)
  ).snapshot
  return {
    buyer: buyer === null ? null : { name: buyer.name, email: buyer.email, phone: buyer.phone },
    trips: trips.map(({ customer_email, customer_name }) => [customer_name, customer_email])
  }
})

const addressOf = (name: string) => `${unique(name)}@example.com`

export const personalInvoices = contract("how a person is reached, in the snapshots of invoices,", (it) => {
  it.effect(
    "is erased with the person's trips, whatever their email is, and also if another invoice has the trip now",
    () =>
      Effect.gen(function* () {
        const personal = yield* PersonalData
        const business = yield* newBusiness
        const [work, home, bea] = [addressOf("work"), addressOf("home"), addressOf("bea")]
        const { trip_id: first } = yield* newTrip(business, { customer_name: "Ada", customer_email: work })
        const { trip_id: second } = yield* newTrip(business, { customer_name: "Ada", customer_email: home })
        const { trip_id: other } = yield* newTrip(business, { customer_name: "Bea", customer_email: bea })
        const earlier = yield* newSealedInvoice(business, null, [first, other])
        const later = yield* newSealedInvoice(business, null, [first, second])
        const others = yield* newSealedInvoice(business, null, [other])
        yield* (yield* Transaction).run(personal.eraseBesideTrips(business, [first, second], now))
        const contacts = yield* Effect.forEach([earlier, later, others], (id) => contactsIn(business, id))
        assert.deepStrictEqual(contacts, [
          {
            buyer: null,
            trips: [
              ["Ada", null],
              ["Bea", bea]
            ]
          },
          {
            buyer: null,
            trips: [
              ["Ada", null],
              ["Ada", null]
            ]
          },
          { buyer: null, trips: [["Bea", bea]] }
        ])
      })
  )

  it.effect(
    "is erased from all invoices of the person's customers, and for the person's email, a number of invoices at a time",
    () =>
      Effect.gen(function* () {
        const personal = yield* PersonalData
        const transaction = yield* Transaction
        const [business, elsewhere] = [yield* newBusiness, yield* newBusiness]
        const [ada, bea] = [addressOf("ada"), addressOf("bea")]
        const phone = "+41446681800"
        const customer = yield* newCustomer(business, { name: "Ada", email: ada, phone })
        const otherCustomer = yield* newCustomer(business, { name: "Bea", email: bea, phone })
        const trip = (customer_email: string, of = business) =>
          Effect.map(newTrip(of, { customer_name: "Rider", customer_email }), ({ trip_id }) => trip_id)
        const guest = yield* trip(ada)
        const ids = [
          yield* newSealedInvoice(business, customer, []),
          yield* newSealedInvoice(business, otherCustomer, [yield* trip(bea)]),
          yield* newSealedInvoice(business, null, [guest, yield* trip(bea)]),
          yield* newSealedInvoice(business, customer, [yield* trip(bea)])
        ] as const
        const abroad = yield* newSealedInvoice(elsewhere, null, [yield* trip(ada, elsewhere)])
        yield* changeTrip(business, guest, { customer_email: bea })
        const person = Option.getOrThrow(yield* personal.ofCustomer(business, customer))
        const erase = (after: number) => transaction.run(personal.eraseInvoices(person, after, 2))
        assert.deepStrictEqual(yield* erase(0), [ids[0], ids[2]])
        assert.deepStrictEqual(yield* erase(ids[2]), [ids[3]])
        assert.deepStrictEqual(yield* erase(ids[3]), [])
        const contacts = yield* Effect.forEach(ids, (id) => contactsIn(business, id))
        const erased = { name: "Ada", email: null, phone: null }
        assert.deepStrictEqual(contacts, [
          { buyer: erased, trips: [] },
          { buyer: { name: "Bea", email: bea, phone }, trips: [["Rider", bea]] },
          {
            buyer: null,
            trips: [
              ["Rider", null],
              ["Rider", bea]
            ]
          },
          { buyer: erased, trips: [["Rider", null]] }
        ])
        assert.deepStrictEqual((yield* contactsIn(elsewhere, abroad)).trips, [["Rider", ada]])
      })
  )
})
