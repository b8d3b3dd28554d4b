/** The XRechnung of an invoice and of a credit note (docs/api/invoices.md). */
import { Context, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { InvalidInput, orNotFound } from "../../kernel/Errors.ts"
import type { CreditNoteId, InvoiceId } from "../../kernel/Ids.ts"
import { traced } from "../../kernel/TracedFunction.ts"
import { InvoiceFactsRepository } from "../invoice/InvoiceFactsRepository.ts"
import { InvoiceRepository } from "../invoice/InvoiceRepository.ts"
import { asSealed } from "../invoice/InvoiceSnapshot.ts"
import { InvoiceSnapshotRepository } from "../invoice/InvoiceSnapshotRepository.ts"
import { PaymentPage } from "../invoice/PaymentPage.ts"
import { CreditNoteRepository } from "../ledger/CreditNoteRepository.ts"
import { creditNoteDocumentOf, invoiceDocumentOf } from "./InvoiceDescription.ts"
import type { InvoiceDocument } from "./InvoiceDocument.ts"
import { makeSealedOf } from "./SealedState.ts"
import { xRechnung, xRechnungFaults, type XRechnungSyntax } from "./XRechnung.ts"

/** The XML of a document, and its number. */
export interface XRechnungFile {
  readonly number: string
  readonly xml: string
}

const fileOf = (document: InvoiceDocument, syntax: XRechnungSyntax) => {
  const faults = xRechnungFaults(document)
  return faults.length === 0
    ? Effect.succeed<XRechnungFile>({ number: document.number, xml: xRechnung(document, syntax) })
    : Effect.fail(
        new InvalidInput({
          issues: faults.map((field) => ({ field, issue: "required" })),
          advice:
            "XRechnung demands these fields of the invoice, the customer or the settings of the business"
        })
      )
}

/** `NotFound` if the invoice or the note is absent or another business's; `InvalidInput` names each missing or contradictory field. */
export class XRechnungFiles extends Context.Service<XRechnungFiles>()("@livery/domain/XRechnungFiles", {
  make: Effect.gen(function* () {
    const invoices = yield* InvoiceRepository
    const facts = yield* InvoiceFactsRepository
    const snapshots = yield* InvoiceSnapshotRepository
    const sealedOf = yield* makeSealedOf
    const notes = yield* CreditNoteRepository
    const paymentPageOf = yield* PaymentPage

    return {
      /** The XRechnung of an invoice: of a sealed one as it was sealed. */
      ofInvoice: traced("XRechnungFiles.ofInvoice")(function* (
        { business_id, timezone }: ActingBusiness,
        invoiceId: InvoiceId,
        syntax: XRechnungSyntax
      ) {
        const invoice = yield* orNotFound("invoice")(yield* invoices.find(business_id, invoiceId))
        const paymentUrl = paymentPageOf?.(invoice.payment_hash) ?? null
        const sealed = Option.getOrUndefined(yield* sealedOf(invoice))
        return yield* fileOf(
          sealed === undefined
            ? invoiceDocumentOf(invoice, yield* facts.of(invoice), { timezone, paymentUrl, logo: null })
            : invoiceDocumentOf(asSealed(invoice, sealed.snapshot), sealed.snapshot, {
                timezone: sealed.snapshot.timezone,
                paymentUrl,
                logo: null
              }),
          syntax
        )
      }),

      /** The XRechnung of a credit note. */
      ofCreditNote: traced("XRechnungFiles.ofCreditNote")(function* (
        { business_id }: ActingBusiness,
        invoiceId: InvoiceId,
        creditNoteId: CreditNoteId,
        syntax: XRechnungSyntax
      ) {
        const invoice = yield* orNotFound("invoice")(yield* invoices.find(business_id, invoiceId))
        const note = yield* orNotFound("credit note")(yield* notes.find(business_id, invoiceId, creditNoteId))
        // Only a sealed invoice has credit notes.
        const { snapshot } = yield* orNotFound("invoice")(yield* snapshots.find(business_id, invoiceId))
        const terms = { timezone: snapshot.timezone, logo: null }
        return yield* fileOf(creditNoteDocumentOf(note, invoice, snapshot, terms), syntax)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(XRechnungFiles, XRechnungFiles.make)
}
