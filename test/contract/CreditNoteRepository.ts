/** The contract of `CreditNoteRepository`. */
import {
  CreditNoteRepository,
  Currency,
  InvoiceNumberingRepository,
  InvoiceRepository,
  type NewCreditNote,
  Transaction,
  usualNumbering
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { atOnce, contract } from "./Contract.ts"
import { newBusiness, now, wholeList } from "./Given.ts"
import { invoiceOf } from "./InvoiceRepository.ts"

/** A new business with an invoice, and a function that stores a credit note of it. */
const given = Effect.gen(function* () {
  const business = yield* newBusiness
  const invoices = yield* InvoiceRepository
  const notes = yield* CreditNoteRepository
  const { invoice_id } = yield* invoices.insert(invoiceOf(business), now)
  const note: NewCreditNote = {
    business_id: business,
    invoice_id,
    reason: "price",
    currency: Currency.make("CHF"),
    lines: [
      {
        description: "Transfer",
        quantity: -1,
        unit_price_minor: 500,
        tax_rate: 8.1,
        net_minor: -500,
        trip_id: null
      }
    ],
    taxes: [{ rate: 8.1, taxable_minor: -500, tax_minor: -41 }],
    subtotal_minor: -500,
    tax_minor: -41,
    total_minor: -541,
    refund_minor: 100,
    notes: "Sorry"
  }
  return { business, insert: notes.insert(note, now, "2026-11-20"), invoice_id, note, notes }
})

export const creditNoteRepository = contract("credit notes", (it) => {
  it.effect("are those of their invoice in their order, in their own business only", () =>
    Effect.gen(function* () {
      const { business, insert, invoice_id, note, notes } = yield* given
      const first = yield* insert
      const { credit_note_id } = first
      assert.deepStrictEqual(first, { ...note, credit_note_id, number: "CN-000001", created_at: now })
      const second = yield* insert
      assert.strictEqual(second.number, "CN-000002")
      assert.deepStrictEqual(yield* notes.ofInvoice(business, invoice_id), [first, second])
      assert.deepStrictEqual(yield* notes.list(business, invoice_id, { page: 1, perPage: 1 }), {
        items: [first],
        total: 2,
        hasMore: true
      })
      assert.deepStrictEqual(yield* notes.find(business, invoice_id, credit_note_id), Option.some(first))
      const other = yield* given
      assert.deepStrictEqual(yield* notes.find(business, other.invoice_id, credit_note_id), Option.none())
      assert.deepStrictEqual(yield* notes.find(other.business, invoice_id, credit_note_id), Option.none())
      assert.deepStrictEqual(yield* notes.ofInvoice(other.business, invoice_id), [])
      assert.deepStrictEqual((yield* notes.list(other.business, invoice_id, wholeList)).items, [])
    })
  )

  it.effect("are numbered without gaps, also when some are rolled back", () =>
    Effect.gen(function* () {
      const { run } = yield* Transaction
      const { business, insert, invoice_id, notes } = yield* given
      yield* atOnce(6, (index) =>
        Effect.ignore(run(index % 2 === 0 ? insert : Effect.andThen(insert, Effect.fail("rolled back"))))
      )
      const numbers = (yield* notes.ofInvoice(business, invoice_id)).map(({ number }) => number)
      assert.deepStrictEqual(numbers.toSorted(), ["CN-000001", "CN-000002", "CN-000003"])
    })
  )

  it.effect("have the format and the counts of their business, which a lock keeps still", () =>
    Effect.gen(function* () {
      const { run } = yield* Transaction
      const numberings = yield* InvoiceNumberingRepository
      const { business, insert, invoice_id, note, notes } = yield* given
      assert.deepStrictEqual(
        yield* numberings.read(business, "credit_note"),
        usualNumbering("credit_note", 0)
      )
      yield* insert
      const before = usualNumbering("credit_note", 1)
      assert.deepStrictEqual(yield* run(numberings.lock(business, "credit_note")), before)
      const change = run(
        Effect.gen(function* () {
          const { counts } = yield* numberings.lock(business, "credit_note")
          const own = { format: "GS-{YYYY}-{N:2}", restarts_each_year: false, counts }
          yield* numberings.save(business, "credit_note", own)
        })
      )
      yield* atOnce(5, (index) => (index === 1 ? change : run(insert)))
      yield* notes.insert(note, now, "2027-01-01")
      const numbers = (yield* notes.ofInvoice(business, invoice_id)).map(({ number }) => number)
      const counts = numbers.map((number) => Number(/\d+$/u.exec(number)?.[0]))
      assert.deepStrictEqual(
        counts.toSorted((one, other) => one - other),
        [1, 2, 3, 4, 5, 6]
      )
      assert.strictEqual(numbers.at(-1), "GS-2027-06")
      assert.deepStrictEqual(
        yield* notes
          .find(business, invoice_id, (yield* insert).credit_note_id)
          .pipe(Effect.map(Option.map(({ number }) => number))),
        Option.some("GS-2026-07")
      )
      assert.strictEqual((yield* numberings.read(business, "invoice")).format, "INV-{N:6}")
    })
  )
})
