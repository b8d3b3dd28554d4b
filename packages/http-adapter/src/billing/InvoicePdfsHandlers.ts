import { Effect } from "effect"
import { InvoicePdfs, InvoiceReminders, XRechnungFiles } from "@livery/domain"
import { CurrentBusiness } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { pdfResponse } from "./PdfResponse.ts"
import { xmlResponse } from "./XmlResponse.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

/** The input of a request without a body: the email goes to the customer, without a message. */
const toCustomer = { to: null, message: null, force: false }

export const InvoicePdfsHandlers = handlersOf("invoicePdfs", function* (handlers) {
  const pdfs = yield* InvoicePdfs
  const reminders = yield* InvoiceReminders
  const xRechnungen = yield* XRechnungFiles
  return handlers({
    pdf: Effect.fnUntraced(function* ({ params }) {
      return pdfResponse(yield* pdfs.pdf(yield* CurrentBusiness, params.id))
    }),
    xrechnung: Effect.fnUntraced(function* ({ params, query }) {
      const { syntax = "ubl" } = query
      return xmlResponse(yield* xRechnungen.ofInvoice(yield* CurrentBusiness, params.id, syntax))
    }),
    email: forBusiness((acting, { params, payload }) => pdfs.email(acting, params.id, payload ?? toCustomer)),
    remind: forBusiness((acting, { params, payload }) =>
      reminders.remind(acting, params.id, payload ?? { to: null, fee: true, force: false })
    )
  })
})
