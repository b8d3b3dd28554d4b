import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { type InvoicePaper, InvoicePapers } from "@livery/domain"
import { Api } from "../Api.ts"
import { CurrentBusiness } from "../http/Access.ts"

/** What the PDF lacks, for the caller: characters, percent-encoded, and fields of the electronic invoice. */
const headersOf = ({ electronic, missing_characters, number }: InvoicePaper) => ({
  "Content-Disposition": `inline; filename="${number}.pdf"`,
  "X-Content-Type-Options": "nosniff",
  "X-Missing-Characters": encodeURIComponent(missing_characters.join("")),
  "X-Electronic-Invoice": electronic._tag,
  ...(electronic._tag === "incomplete"
    ? { "X-Electronic-Invoice-Faults": electronic.faults.slice(0, 50).join(", ") }
    : {})
})

/** A request without a body. */
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
          const paper = yield* papers.pdf(yield* CurrentBusiness, params.id)
          return HttpServerResponse.uint8Array(paper.bytes, {
            contentType: "application/pdf",
            headers: headersOf(paper)
          })
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
