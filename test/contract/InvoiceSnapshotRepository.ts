/** The contract of `InvoiceSnapshotRepository`. */
import {
  InvoiceFactsRepository,
  InvoiceRepository,
  InvoiceSnapshotRepository,
  type KeptPdf,
  snapshotOf
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { atOnce, contract } from "./Contract.ts"
import { changeTrip, newBusiness, newCustomer, newTrip, now } from "./Given.ts"
import { invoiceDraft } from "./InvoiceDraft.ts"

const pdfNamed = (file: string): KeptPdf => ({
  file,
  size: 3,
  pages: 1,
  missing_characters: ["東"],
  logo: "none",
  electronic: { _tag: "incomplete", faults: ["due_date"] }
})

/** A stored invoice with a trip, and its snapshot. */
const given = Effect.gen(function* () {
  const business = yield* newBusiness
  const customer = yield* newCustomer(business)
  const invoice = yield* (yield* InvoiceRepository).insert(
    invoiceDraft(business, { customer_id: customer, notes: "Thank you" }),
    now
  )
  const { trip_id } = yield* newTrip(business)
  yield* changeTrip(business, trip_id, { invoice_id: invoice.invoice_id })
  const facts = yield* (yield* InvoiceFactsRepository).of(invoice)
  const snapshots = yield* InvoiceSnapshotRepository
  const snapshot = snapshotOf(invoice, facts, "Europe/Zurich")
  return { business, id: invoice.invoice_id, snapshot, snapshots }
})

export const invoiceSnapshotRepository = contract("the snapshot of an invoice", (it) => {
  it.effect("is found as it was stored, in its own business only", () =>
    Effect.gen(function* () {
      const { business, id, snapshot, snapshots } = yield* given
      assert.deepStrictEqual(yield* snapshots.find(business, id), Option.none())
      yield* snapshots.insert(business, id, snapshot)
      assert.deepStrictEqual(yield* snapshots.find(business, id), Option.some({ snapshot, kept_pdf: null }))
      assert.deepStrictEqual(yield* snapshots.find(yield* newBusiness, id), Option.none())
    })
  )

  it.effect("keeps the first of several PDFs, and another one only in place of the one that is named", () =>
    Effect.gen(function* () {
      const { business, id, snapshot, snapshots } = yield* given
      yield* snapshots.insert(business, id, snapshot)
      const kept = yield* atOnce(4, (index) => snapshots.keepPdf(business, id, pdfNamed(`a${index}`), null))
      const first = kept.indexOf(true)
      assert.lengthOf(kept.filter(Boolean), 1)
      const found = Effect.map(
        snapshots.find(business, id),
        Option.map(({ kept_pdf }) => kept_pdf)
      )
      assert.deepStrictEqual(yield* found, Option.some(pdfNamed(`a${first}`)))
      assert.isFalse(yield* snapshots.keepPdf(business, id, pdfNamed("b"), "c"))
      assert.isFalse(yield* snapshots.keepPdf(yield* newBusiness, id, pdfNamed("b"), `a${first}`))
      assert.isTrue(yield* snapshots.keepPdf(business, id, pdfNamed("b"), `a${first}`))
      assert.deepStrictEqual(yield* found, Option.some(pdfNamed("b")))
    })
  )
})
