import { Effect } from "effect"
import { CreditNotePdfs, CreditNotes } from "@livery/domain"
import { Api, CurrentBusiness } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { withEtag } from "../http/responses/Etag.ts"
import { pdfResponse } from "./PdfResponse.ts"

export const CreditNotesHandlers = handlersOf(
  Api,
  "creditNotes",
  Effect.fn(function* (handlers) {
    const notes = yield* CreditNotes
    const pdfs = yield* CreditNotePdfs
    return handlers({
      create: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* notes.create(yield* CurrentBusiness, params.id, payload)
      }),
      list: Effect.fnUntraced(function* ({ params, query }) {
        const acting = yield* CurrentBusiness
        return yield* paged(query, (page) => notes.list(acting, params.id, page))
      }),
      read: Effect.fnUntraced(function* ({ params }) {
        return withEtag(yield* notes.get(yield* CurrentBusiness, params.id, params.credit_note_id))
      }),
      pdf: Effect.fnUntraced(function* ({ params }) {
        return pdfResponse(yield* pdfs.pdf(yield* CurrentBusiness, params.id, params.credit_note_id))
      })
    })
  })
)
