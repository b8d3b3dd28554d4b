/** Payment links of trips, and the invoice of a month (docs/api/invoices.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  CustomerId,
  MonthlyInvoiceInput,
  MonthlyInvoiceRecord,
  MonthlyRunId,
  MonthlyRunInput,
  MonthlyRunRecord,
  PaymentLinkInput,
  PaymentLinkRecord,
  TripId
} from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { optionalBody } from "../http/Confirmation.ts"
import { basePath, callsOut, created, recordId, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { tagged } from "../http/SafeEdits.ts"
import { invoicingErrors, providerErrors } from "../http/PaymentErrors.ts"

/**
 * The routes that bill trips: the payment link of one, and one invoice of a customer's trips of a month. For API keys and
 * members with a right in the area `billing`.
 */
export const TripBillingApi = HttpApiGroup.make("tripBilling")
  .add(
    HttpApiEndpoint.post("trip", "/trips/:id/payment-link", {
      params: { id: recordId(TripId) },
      payload: [PaymentLinkInput, Schema.Null],
      success: data(PaymentLinkRecord, "PaymentLinkBody").pipe(created),
      error: [...invoicingErrors, ...providerErrors]
    })
      .annotateMerge(callsOut)
      .annotateMerge(optionalBody)
      .annotateMerge(
        summary(
          "Create the link with which the customer pays for the trip, and the trip's invoice if it has none"
        )
      )
  )
  .add(
    HttpApiEndpoint.post("month", "/customers/:id/invoices", {
      params: { id: recordId(CustomerId) },
      payload: MonthlyInvoiceInput,
      success: data(MonthlyInvoiceRecord, "MonthlyInvoiceBody").pipe(created),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.planLimitExceeded]
    }).annotateMerge(
      summary(
        "Create one invoice of a customer's trips of a month, grouped by cost center or PO number; `left_out` are the trips that it does not have"
      )
    )
  )
  .add(
    HttpApiEndpoint.post("startRun", "/invoices/monthly", {
      payload: MonthlyRunInput,
      success: data(MonthlyRunRecord, "MonthlyRunStartedBody").pipe(HttpApiSchema.status(202))
    }).annotateMerge(
      summary("Raise the invoices of a month for all customers in the background, and email them with `send`")
    ),
    HttpApiEndpoint.get("readRun", "/invoice-runs/:run_id", {
      params: { run_id: recordId(MonthlyRunId) },
      success: tagged(data(MonthlyRunRecord, "MonthlyRunBody")),
      error: wireErrors.notFound
    }).annotateMerge(summary("A run that raises the invoices of a month, with the report of each customer"))
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("billing"))
  .prefix(basePath)
  .annotateMerge(OpenApi.annotations({ title: "Billing of trips" }))
