import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { CardPayments, InvoicePdfs, ProviderNotices } from "@livery/domain"
import { CurrentRequest, requestId } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { addressOf, TrustedProxies } from "../http/request/ClientAddress.ts"
import { withEtag } from "../http/responses/Etag.ts"
import { pdfResponse } from "./PdfResponse.ts"
import { limit, RateLimits } from "../http/access/RateLimits.ts"

export const PublicInvoicesHandlers = handlersOf("publicInvoices", function* (handlers) {
  const cards = yield* CardPayments
  const pdfs = yield* InvoicePdfs
  return handlers({
    read: Effect.fnUntraced(function* ({ params }) {
      return withEtag(yield* cards.invoice(params.hash))
    }),
    pdf: Effect.fnUntraced(function* ({ params }) {
      return pdfResponse(yield* pdfs.pdfOfLink(params.hash))
    }),
    pay: ({ params, payload }) => cards.pay(params.hash, payload?.amount ?? null)
  })
})

export const PaymentNoticesHandlers = handlersOf("paymentNotices", function* (handlers) {
  const notices = yield* ProviderNotices
  const limits = yield* RateLimits
  const trusted = yield* TrustedProxies
  // Raw: the signature covers the bytes of the body, not its content.
  return handlers({
    stripe: {
      raw: Effect.fnUntraced(function* ({ request }) {
        const body = yield* Effect.orDie(request.arrayBuffer)
        yield* notices.receive(new Uint8Array(body), request.headers["stripe-signature"]).pipe(
          Effect.catchTag("PaymentNoticeRefused", (refusal) =>
            Effect.andThen(
              Effect.flatMap(CurrentRequest, (state) =>
                limit(limits, state, "public", addressOf(request, trusted))
              ),
              Effect.fail(refusal)
            )
          )
        )
        return HttpServerResponse.jsonUnsafe({
          data: { received: true },
          meta: { request_id: yield* requestId }
        })
      })
    }
  })
})
