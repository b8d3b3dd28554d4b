import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { InvoicePdfs } from "@livery/domain"
import { Api } from "../Api.ts"
import { CurrentBusiness } from "../http/contract/Access.ts"
import { pdfResponse } from "./PdfResponse.ts"

/** The input of a request without a body: the email goes to the customer, without a message. */
const toCustomer = { to: null, message: null }

export const InvoicePdfsHandlers = HttpApiBuilder.group(
  Api,
  "invoicePdfs",
  Effect.fn(function* (handlers) {
    const pdfs = yield* InvoicePdfs
    return handlers
      .handleRaw(
        "pdf",
        Effect.fnUntraced(function* ({ params }) {
          return pdfResponse(yield* pdfs.pdf(yield* CurrentBusiness, params.id))
        })
      )
      .handle(
        "email",
        Effect.fnUntraced(function* ({ params, payload }) {
          return yield* pdfs.email(yield* CurrentBusiness, params.id, payload ?? toCustomer)
        })
      )
  })
)
