import { Effect } from "effect"
import { InvoicePdfs } from "@livery/domain"
import { Api, CurrentBusiness } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { pdfResponse } from "./PdfResponse.ts"

/** The input of a request without a body: the email goes to the customer, without a message. */
const toCustomer = { to: null, message: null }

export const InvoicePdfsHandlers = handlersOf(
  Api,
  "invoicePdfs",
  Effect.fn(function* (handlers) {
    const pdfs = yield* InvoicePdfs
    return handlers({
      pdf: Effect.fnUntraced(function* ({ params }) {
        return pdfResponse(yield* pdfs.pdf(yield* CurrentBusiness, params.id))
      }),
      email: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* pdfs.email(yield* CurrentBusiness, params.id, payload ?? toCustomer)
      })
    })
  })
)
