/** Links with which customers pay for a trip (docs/api/invoices.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { PaymentLinkInput, PaymentLinkRecord, TripId } from "@livery/domain"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { optionalBody } from "../http/Confirmation.ts"
import { basePath, callsOut, created, recordId, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"

export const PaymentLinksApi = HttpApiGroup.make("paymentLinks")
  .add(
    HttpApiEndpoint.post("trip", "/trips/:id/payment-link", {
      params: { id: recordId(TripId) },
      payload: [PaymentLinkInput, Schema.Null],
      success: data(PaymentLinkRecord, "PaymentLinkBody").pipe(created),
      error: [
        wireErrors.notFound,
        wireErrors.conflict,
        wireErrors.planLimitExceeded,
        wireErrors.nothingOutstanding,
        wireErrors.paymentRefused,
        wireErrors.paymentProviderUnavailable
      ]
    })
      .annotateMerge(callsOut)
      .annotateMerge(optionalBody)
      .annotateMerge(
        summary("The link with which the customer pays for the trip; raises its invoice if it has none")
      )
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("billing"))
  .prefix(basePath)
  .annotateMerge(OpenApi.annotations({ title: "Payment links" }))
