/** Credit notes of invoices (docs/api/invoices.md). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CreditNoteId, CreditNoteInput, CreditNoteRecord, InvoiceId } from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, callsOut, created, paging, recordId, summary } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { tagged } from "../http/SafeEdits.ts"
import { pdfResult, xRechnungResult } from "./PdfBody.ts"

const ofInvoice = { id: recordId(InvoiceId) }
const params = { ...ofInvoice, credit_note_id: recordId(CreditNoteId) }

const CreditNoteBody = data(CreditNoteRecord, "CreditNoteBody")

/** The routes under `/invoices/:id/credit-notes`. For API keys and members with a right in the area `billing`. */
export const CreditNotesApi = HttpApiGroup.make("creditNotes")
  .add(
    HttpApiEndpoint.post("create", "/:id/credit-notes", {
      params: ofInvoice,
      payload: CreditNoteInput,
      success: CreditNoteBody.pipe(created),
      error: [wireErrors.notFound, wireErrors.conflict]
    })
      .annotateMerge(callsOut)
      .annotateMerge(
        summary(
          "Credit items of an invoice, or without `items` all of its remaining amount, and refund their payments"
        )
      ),
    HttpApiEndpoint.get("list", "/:id/credit-notes", {
      params: ofInvoice,
      query: paging,
      success: list(CreditNoteRecord, "CreditNoteListBody"),
      error: wireErrors.notFound
    }).annotateMerge(summary("The credit notes of an invoice, the oldest first")),
    HttpApiEndpoint.get("read", "/:id/credit-notes/:credit_note_id", {
      params,
      success: tagged(CreditNoteBody),
      error: wireErrors.notFound
    }).annotateMerge(summary("One credit note")),
    HttpApiEndpoint.get("xrechnung", "/:id/credit-notes/:credit_note_id/xrechnung", {
      params,
      ...xRechnungResult
    }).annotateMerge(
      summary("The credit note as XRechnung, in the syntax UBL or CII; 422 names each field that it lacks")
    ),
    HttpApiEndpoint.get("pdf", "/:id/credit-notes/:credit_note_id/pdf", {
      params,
      ...pdfResult
    })
      .annotateMerge(callsOut)
      .annotateMerge(summary("The credit note as a PDF, in Europe with an electronic copy"))
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("billing"))
  .prefix(`${basePath}/invoices`)
  .annotateMerge(OpenApi.annotations({ title: "Credit notes" }))
