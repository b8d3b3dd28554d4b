import { Effect } from "effect"
import { InvoicePdfs } from "@livery/domain"
import { CurrentBusiness } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { pdfResponse } from "./PdfResponse.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

/** The input of a request without a body: the email goes to the customer, without a message. */
const toCustomer = { to: null, message: null, force: false }

export const InvoicePdfsHandlers = handlersOf("invoicePdfs", function* (handlers) {
  const pdfs = yield* InvoicePdfs
  return handlers({
    pdf: Effect.fnUntraced(function* ({ params }) {
      return pdfResponse(yield* pdfs.pdf(yield* CurrentBusiness, params.id))
    }),
    email: forBusiness((acting, { params, payload }) => pdfs.email(acting, params.id, payload ?? toCustomer))
  })
})
