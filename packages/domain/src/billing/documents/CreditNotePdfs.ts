/** The PDF of a credit note (docs/api/invoices.md). */
import { Context, Effect, Layer } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { orNotFound } from "../../kernel/Errors.ts"
import type { CreditNoteId, InvoiceId } from "../../kernel/Ids.ts"
import { CreditNoteRepository } from "../ledger/CreditNoteRepository.ts"
import { creditNoteDocumentOf } from "./InvoiceDescription.ts"
import { InvoiceSnapshotRepository } from "../invoice/InvoiceSnapshotRepository.ts"
import { InvoiceRepository } from "../invoice/InvoiceRepository.ts"
import { makePdfDrawing } from "./PdfDrawing.ts"
import { traced } from "../../kernel/TracedFunction.ts"

export class CreditNotePdfs extends Context.Service<CreditNotePdfs>()("@livery/domain/CreditNotePdfs", {
  make: Effect.gen(function* () {
    const invoices = yield* InvoiceRepository
    const notes = yield* CreditNoteRepository
    const snapshots = yield* InvoiceSnapshotRepository
    const draw = yield* makePdfDrawing

    return {
      /**
       * The PDF of a credit note; the same note gives the same bytes. `PdfUnavailable` if it cannot be drawn now;
       * `NotFound` if the invoice or the note is absent or another business's.
       */
      pdf: traced("CreditNotePdfs.pdf")(function* (
        acting: ActingBusiness,
        invoiceId: InvoiceId,
        creditNoteId: CreditNoteId
      ) {
        const { business_id } = acting
        const invoice = yield* orNotFound("invoice")(yield* invoices.find(business_id, invoiceId))
        const note = yield* orNotFound("credit note")(yield* notes.find(business_id, invoiceId, creditNoteId))
        // Only a sealed invoice has credit notes.
        const { snapshot } = yield* orNotFound("invoice")(yield* snapshots.find(business_id, invoiceId))
        const { timezone } = snapshot
        const logo = yield* draw.logoOf(snapshot.seller, invoice)
        const rendered = yield* draw.render(
          creditNoteDocumentOf(note, invoice, snapshot, { timezone, logo }),
          invoice
        )
        return { ...rendered, number: note.number }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(CreditNotePdfs, CreditNotePdfs.make)
}
