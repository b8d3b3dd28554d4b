/** Paying invoices without a credential, and the notices of the payment provider (docs/api/invoices.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CardPaymentInput, CardPaymentRecord, PublicInvoiceRecord } from "@livery/domain/records"
import { PublicAccess, SignedAccess } from "../http/Access.ts"
import { optionalBody } from "../http/Confirmation.ts"
import { basePath, callsOut, neverRepeated, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { tagged } from "../http/SafeEdits.ts"
import { pdfResult } from "./PdfBody.ts"
import { providerErrors } from "../http/PaymentErrors.ts"
import { publicAddress, secretParameter } from "../http/Traits.ts"

const params = { hash: Schema.String }

/** The routes under `/public/invoices`: a customer reads and pays an invoice. For anyone with the invoice's link. */
export const PublicInvoicesApi = HttpApiGroup.make("publicInvoices")
  .add(
    HttpApiEndpoint.get("read", "/:hash", {
      params,
      success: tagged(data(PublicInvoiceRecord, "PublicInvoiceBody")),
      error: wireErrors.notFound
    }).annotateMerge(summary("The invoice of a `payment_hash`, without its notes and its customer")),
    HttpApiEndpoint.get("pdf", "/:hash/pdf", { params, ...pdfResult })
      .annotateMerge(callsOut)
      .annotateMerge(summary("The invoice of a `payment_hash` as a PDF")),
    HttpApiEndpoint.post("pay", "/:hash/pay", {
      params,
      payload: [CardPaymentInput, Schema.Null],
      success: data(CardPaymentRecord, "CardPaymentBody"),
      error: [wireErrors.notFound, wireErrors.nothingOutstanding, ...providerErrors]
    })
      .annotateMerge(callsOut)
      .annotateMerge(optionalBody)
      .annotateMerge(
        summary(
          "Start a card payment of the amount due, or of the `amount` in the body if the business allows part payments; the secret stays the same while the amount is unchanged"
        )
      )
  )
  .middleware(PublicAccess)
  .prefix(`${basePath}/public/invoices`)
  .annotateMerge(OpenApi.annotations({ title: "Invoices by link" }))
  .annotateMerge(secretParameter("hash"))
  .annotateMerge(publicAddress("invoice"))

/** The route to which Stripe sends its notices. For requests with Stripe's signature. */
export const PaymentNoticesApi = HttpApiGroup.make("paymentNotices")
  .add(
    HttpApiEndpoint.post("stripe", "/stripe", {
      headers: {
        "stripe-signature": Schema.optionalKey(
          Schema.String.annotate({ description: "Stripe's signature of the body." })
        )
      },
      payload: Schema.Struct({
        id: Schema.String.annotate({ description: "The event's id; each event is handled once." })
      }),
      success: data(Schema.Struct({ received: Schema.Boolean }), "PaymentNoticeBody"),
      error: [wireErrors.paymentNoticeRefused, ...providerErrors]
    })
      .annotateMerge(neverRepeated)
      .annotateMerge(summary("A notice of Stripe, signed over the body as it was sent"))
  )
  .middleware(SignedAccess)
  .prefix(`${basePath}/public/payments`)
  .annotateMerge(OpenApi.annotations({ title: "Payment notices" }))
