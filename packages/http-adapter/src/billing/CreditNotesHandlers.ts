import { Effect } from "effect"
import { CreditNotePdfs, CreditNotes, XRechnungFiles } from "@livery/domain"
import { CurrentBusiness } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { withEtag } from "../http/responses/Etag.ts"
import { pdfResponse } from "./PdfResponse.ts"
import { xmlResponse } from "./XmlResponse.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

export const CreditNotesHandlers = handlersOf("creditNotes", function* (handlers) {
  const notes = yield* CreditNotes
  const pdfs = yield* CreditNotePdfs
  const xRechnungen = yield* XRechnungFiles
  return handlers({
    create: forBusiness((acting, { params, payload }) => notes.create(acting, params.id, payload)),
    list: forBusiness((acting, { params, query }) =>
      paged(query, (page) => notes.list(acting, params.id, page))
    ),
    read: forBusiness((acting, { params }) =>
      Effect.map(notes.get(acting, params.id, params.credit_note_id), withEtag)
    ),
    xrechnung: Effect.fnUntraced(function* ({ params, query }) {
      const { syntax = "ubl" } = query
      const { credit_note_id, id } = params
      return xmlResponse(yield* xRechnungen.ofCreditNote(yield* CurrentBusiness, id, credit_note_id, syntax))
    }),
    pdf: Effect.fnUntraced(function* ({ params }) {
      return pdfResponse(yield* pdfs.pdf(yield* CurrentBusiness, params.id, params.credit_note_id))
    })
  })
})
