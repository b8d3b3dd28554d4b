import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { InvoicePapers } from "@livery/domain"
import { Api } from "../Api.ts"
import { CurrentBusiness } from "../http/Access.ts"
import { pdfResponse } from "./PdfResponse.ts"

/** The input of a request without a body: the email goes to the customer, without a message. */
const toCustomer = { to: null, message: null }

export const InvoicePapersHandlers = HttpApiBuilder.group(
  Api,
  "invoicePapers",
  Effect.fn(function* (handlers) {
    const papers = yield* InvoicePapers
    return handlers
      .handleRaw(
        "pdf",
        Effect.fnUntraced(function* ({ params }) {
          return pdfResponse(yield* papers.pdf(yield* CurrentBusiness, params.id))
        })
      )
      .handle(
        "email",
        Effect.fnUntraced(function* ({ params, payload }) {
          return yield* papers.email(yield* CurrentBusiness, params.id, payload ?? toCustomer)
        })
      )
  })
)
