/** The contract of `InvoiceRepository`. */
import {
  type BusinessId,
  Currency,
  type CustomerId,
  InvoiceRepository,
  type NewInvoice,
  Transaction
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { atOnce, contract, unique } from "./Contract.ts"
import { changeTrip, newBusiness, newCustomer, newTrip, now, wholeList } from "./Given.ts"

/** An invoice that is not stored yet. */
export const invoiceOf = (business_id: BusinessId, change: Partial<NewInvoice> = {}): NewInvoice => ({
  business_id,
  customer_id: null,
  status: "partial",
  currency: Currency.make("CHF"),
  lines: [
    {
      description: "Transfer",
      quantity: 1.5,
      unit_price_minor: 5_000,
      tax_rate: 8.1,
      net_minor: 7_500,
      trip_id: null
    }
  ],
  subtotal_minor: 7_500,
  tax_minor: 608,
  total_minor: 8_108,
  paid_minor: 5_000,
  credited_minor: 0,
  excess_minor: 0,
  issued_on: "2026-11-20",
  due_date: "2026-12-20",
  service_from: null,
  service_to: "2026-11-19",
  buyer_reference: "04011000-12345-35",
  notes: null,
  untaxed_as: "exempt",
  untaxed_reason: "Art. 10 MWSTG",
  payment_hash: unique("hash"),
  corrects_invoice_id: null,
  corrected_by_invoice_id: null,
  fee_of_invoice_id: null,
  reminder_level: 0,
  last_reminder_at: null,
  reminder_fees_minor: 0,
  sent_at: now,
  email_status: null,
  email_failed_at: null,
  viewed_at: null,
  sealed_at: null,
  voided_at: null,
  ...change
})

/** A new business with a customer. */
const given = Effect.gen(function* () {
  const business = yield* newBusiness
  const invoices = yield* InvoiceRepository
  const insert = (change: Partial<NewInvoice> = {}, at = now) =>
    invoices.insert(invoiceOf(business, change), at)
  return { business, insert, invoices }
})

const numbersOf = (invoices: ReadonlyArray<{ readonly number: string }>) =>
  invoices.map(({ number }) => number)

export const invoiceRepository = contract("invoices", (it) => {
  it.effect("are stored and found, by id and by hash, in their own business only", () =>
    Effect.gen(function* () {
      const { business, insert, invoices } = yield* given
      const other = yield* newBusiness
      const stored = yield* insert()
      assert.deepStrictEqual(stored, {
        ...invoiceOf(business, { payment_hash: stored.payment_hash }),
        invoice_id: stored.invoice_id,
        number: "INV-000001",
        trip_ids: [],
        created_at: now,
        updated_at: now
      })
      for (const find of [invoices.find, invoices.lock]) {
        assert.deepStrictEqual(yield* find(business, stored.invoice_id), Option.some(stored))
        assert.deepStrictEqual(yield* find(other, stored.invoice_id), Option.none())
      }
      const { payment_hash } = stored
      assert.deepStrictEqual(yield* invoices.findByHash(business, payment_hash), Option.some(stored))
      assert.deepStrictEqual(yield* invoices.findByHash(other, payment_hash), Option.none())
    })
  )

  it.effect(
    "are overdue if they are due before a day and not paid in full, those due the longest first",
    () =>
      Effect.gen(function* () {
        const { business, insert, invoices } = yield* given
        const late = yield* insert({ due_date: "2026-12-01" })
        const later = yield* insert({ due_date: "2026-11-01", status: "unpaid", paid_minor: 0 })
        const same = yield* insert({ due_date: "2026-12-01" })
        yield* insert({ due_date: "2026-12-02" })
        yield* insert({ due_date: null })
        yield* insert({ due_date: "2026-11-01", status: "paid", paid_minor: 8_108 })
        yield* insert({ due_date: "2026-11-01", status: "void" })
        yield* insert({ due_date: "2026-11-01", credited_minor: 3_108 })
        const overdue = { dueBefore: "2026-12-02" }
        const { items, total } = yield* invoices.list(business, overdue, { page: 1, perPage: 2 })
        assert.deepStrictEqual([numbersOf(items), total], [numbersOf([later, late]), 3])
        const next = yield* invoices.list(business, overdue, { page: 2, perPage: 2 })
        assert.deepStrictEqual(numbersOf(next.items), [same.number])
      })
  )

  it.effect("have numbers without gaps in each business, also at once and after a rollback", () =>
    Effect.gen(function* () {
      const { insert } = yield* given
      const other = yield* given
      const transaction = yield* Transaction
      assert.deepStrictEqual(numbersOf([yield* other.insert()]), ["INV-000001"])
      const failed = transaction.run(Effect.andThen(insert(), Effect.fail("rolled back" as const)))
      const stored = Effect.map(transaction.run(insert()), ({ number }) => number)
      const made = yield* atOnce(12, (index) => (index % 3 === 0 ? Effect.flip(failed) : stored))
      assert.deepStrictEqual(
        made.filter((number) => number !== "rolled back").toSorted(),
        [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `INV-00000${number}`)
      )
    })
  )

  it.effect(
    "have a number only once a draft is issued, in the order of issue, with the time of the issue",
    () =>
      Effect.gen(function* () {
        const { business, insert, invoices } = yield* given
        const other = yield* newBusiness
        const draft = yield* insert({ status: "draft" })
        const second = yield* insert({ status: "draft" })
        assert.deepStrictEqual([draft.number, second.number], ["", ""])
        assert.deepStrictEqual(yield* invoices.findByHash(business, draft.payment_hash), Option.none())
        const numbered = yield* insert()
        const raised = invoices.raised(business, now, DateTime.add(now, { days: 3 }), 100)
        assert.strictEqual(yield* raised, 1)
        const listed = (query: Parameters<typeof invoices.list>[1]) =>
          Effect.map(invoices.list(business, query, wholeList), ({ items }) =>
            items.map(({ invoice_id }) => invoice_id)
          )
        const ids = [second, draft, numbered].map(({ invoice_id }) => invoice_id)
        assert.deepStrictEqual(yield* listed({}), ids)
        assert.deepStrictEqual(yield* listed({ status: "draft" }), ids.slice(0, 2))
        assert.deepStrictEqual(yield* listed({ number: "INV" }), ids.slice(2))
        const later = DateTime.add(now, { days: 1 })
        const drawn = yield* invoices.drawNumber(draft, later)
        assert.deepStrictEqual(drawn, { ...draft, number: "INV-000002", created_at: later })
        yield* invoices.update({ ...drawn, status: "unpaid" })
        assert.deepStrictEqual(
          yield* invoices.findByHash(business, draft.payment_hash),
          Option.some({ ...drawn, status: "unpaid" as const })
        )
        assert.deepStrictEqual(
          yield* listed({}),
          [second, draft, numbered].map(({ invoice_id }) => invoice_id)
        )
        assert.strictEqual(yield* raised, 2)
        yield* invoices.remove(other, second.invoice_id)
        assert.lengthOf(yield* listed({}), 3)
        yield* invoices.remove(business, second.invoice_id)
        assert.deepStrictEqual(yield* invoices.find(business, second.invoice_id), Option.none())
      })
  )

  it.effect("are replaced, and not found once they are deleted, until they are replaced again", () =>
    Effect.gen(function* () {
      const { business, insert, invoices } = yield* given
      const stored = yield* insert()
      const changed = { ...stored, notes: "Changed", status: "paid" as const, paid_minor: 8_108, lines: [] }
      yield* invoices.update(changed)
      assert.deepStrictEqual(yield* invoices.find(business, stored.invoice_id), Option.some(changed))
      yield* invoices.update({ ...changed, deleted_at: now })
      assert.deepStrictEqual(yield* invoices.find(business, stored.invoice_id), Option.none())
      assert.deepStrictEqual(yield* invoices.findByHash(business, stored.payment_hash), Option.none())
      assert.deepStrictEqual((yield* invoices.list(business, {}, wholeList)).items, [])
      yield* invoices.update(changed)
      assert.deepStrictEqual(yield* invoices.find(business, stored.invoice_id), Option.some(changed))
    })
  )

  it.effect("are listed by status and by the beginning of the number, the newest first", () =>
    Effect.gen(function* () {
      const { business, insert, invoices } = yield* given
      const other = yield* given
      yield* other.insert()
      for (const status of ["paid", "unpaid", "paid"] as const) yield* insert({ status })
      const listed = (query: Parameters<typeof invoices.list>[1]) =>
        Effect.map(invoices.list(business, query, wholeList), ({ items }) => numbersOf(items))
      assert.deepStrictEqual(yield* listed({}), ["INV-000003", "INV-000002", "INV-000001"])
      assert.deepStrictEqual(yield* listed({ status: "paid" }), ["INV-000003", "INV-000001"])
      assert.deepStrictEqual(yield* listed({ number: "INV-000002" }), ["INV-000002"])
      assert.deepStrictEqual(yield* listed({ number: "INV-", status: "unpaid" }), ["INV-000002"])
      assert.deepStrictEqual(yield* listed({ number: "INV%" }), [])
    })
  )

  it.effect("are listed by the time of their creation, with any other filter", () =>
    Effect.gen(function* () {
      const { business, insert, invoices } = yield* given
      const customerId = yield* newCustomer(business)
      const [later, last] = [DateTime.add(now, { days: 1 }), DateTime.add(now, { days: 2 })]
      yield* insert({ customer_id: customerId })
      yield* insert({ customer_id: customerId, status: "paid" }, later)
      yield* insert({ status: "paid" }, later)
      yield* insert({}, last)
      const listed = (query: Parameters<typeof invoices.list>[1]) =>
        Effect.map(invoices.list(business, query, wholeList), ({ items, total }) => {
          assert.strictEqual(total, items.length)
          return numbersOf(items)
        })
      assert.deepStrictEqual(yield* listed({ from: later }), ["INV-000004", "INV-000003", "INV-000002"])
      assert.deepStrictEqual(yield* listed({ before: later }), ["INV-000001"])
      assert.deepStrictEqual(yield* listed({ from: later, before: last }), ["INV-000003", "INV-000002"])
      assert.deepStrictEqual(yield* listed({ from: later, customerId }), ["INV-000002"])
      assert.deepStrictEqual(yield* listed({ before: last, status: "paid" }), ["INV-000003", "INV-000002"])
      assert.deepStrictEqual(yield* listed({ before: last, number: "INV-000002" }), ["INV-000002"])
      assert.deepStrictEqual(yield* listed({ from: last, number: "INV-000002" }), [])
    })
  )

  it.effect("are counted within a time, deleted ones too, and no further than asked", () =>
    Effect.gen(function* () {
      const { business, insert, invoices } = yield* given
      const later = DateTime.add(now, { days: 1 })
      const deleted = yield* insert()
      yield* invoices.update({ ...deleted, deleted_at: now })
      yield* insert()
      yield* insert({}, later)
      assert.strictEqual(yield* invoices.raised(business, now, later, 10), 2)
      assert.strictEqual(yield* invoices.raised(business, now, DateTime.add(later, { days: 1 }), 2), 2)
    })
  )

  it.effect("of a customer are listed with their trips, the newest first", () =>
    Effect.gen(function* () {
      const { business, insert, invoices } = yield* given
      const [customer, other] = [yield* newCustomer(business), yield* newCustomer(business)]
      const of = (customer_id: CustomerId) => insert({ customer_id })
      const [first, second] = [yield* of(customer), yield* of(customer)]
      yield* of(other)
      const trips = [yield* newTrip(business), yield* newTrip(business), yield* newTrip(business)]
      const [one, deleted, two] = trips.map(({ trip_id }) => trip_id)
      if (one === undefined || deleted === undefined || two === undefined) return assert.fail("no trips")
      const { invoice_id } = first
      for (const tripId of [two, deleted, one]) yield* changeTrip(business, tripId, { invoice_id })
      yield* changeTrip(business, deleted, { deleted_at: now })
      assert.deepStrictEqual(yield* invoices.ofCustomer(business, customer, wholeList), {
        items: [second, { ...first, trip_ids: [one, two] }],
        total: 2,
        hasMore: false
      })
      const foreign = yield* invoices.ofCustomer(yield* newBusiness, customer, wholeList)
      assert.deepStrictEqual(foreign, { items: [], total: 0, hasMore: false })
    })
  )

  it.effect("with an amount to refund are found by their customer, the oldest first", () =>
    Effect.gen(function* () {
      const { business, insert, invoices } = yield* given
      const [customer_id, another] = [yield* newCustomer(business), yield* newCustomer(business)]
      const one = yield* insert({ customer_id, excess_minor: 5 })
      yield* insert({ customer_id })
      yield* insert({ customer_id: another, excess_minor: 5 })
      const two = yield* insert({ customer_id, excess_minor: 5 })
      assert.deepStrictEqual(yield* invoices.withExcess(business, customer_id), [
        one.invoice_id,
        two.invoice_id
      ])
      assert.deepStrictEqual(yield* invoices.withExcess(yield* newBusiness, customer_id), [])
    })
  )
})
