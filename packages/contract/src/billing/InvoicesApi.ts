/** Invoices and their payments (docs/api/invoices.md). */
import { Schema, SchemaGetter } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  AttachedTrips,
  CreditUseInput,
  CustomerId,
  DeletionResult,
  DetachedTrips,
  InvoiceChanges,
  InvoiceCorrection,
  InvoiceFilter,
  InvoiceId,
  InvoiceInput,
  InvoiceRecord,
  InvoiceTimelineRecord,
  PaymentId,
  PaymentInput,
  PaymentRecord,
  ReceivedPaymentRecord,
  RefundInput,
  RefundRecord,
  ReversalInput,
  ReversalRecord
} from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { confirmationPayload, optionalBody } from "../http/Confirmation.ts"
import { basePath, callsOut, created, paging, recordId, summary, wholeNumber } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { providerErrors } from "../http/PaymentErrors.ts"
import { ifMatch, tagged } from "../http/SafeEdits.ts"

const params = { id: recordId(InvoiceId) }

const InvoiceBody = data(InvoiceRecord, "InvoiceBody")

/**
 * The routes under `/invoices`: invoices, their trips, their ledger. For API keys and members with a right in the area
 * `billing`.
 */
export const InvoicesApi = HttpApiGroup.make("invoices")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...paging,
        ...InvoiceFilter.fields,
        customer_id: Schema.optionalKey(wholeNumber(CustomerId)),
        overdue: Schema.optionalKey(
          Schema.Literal("true").pipe(
            Schema.decodeTo(Schema.Literal(true), {
              decode: SchemaGetter.transform(() => true as const),
              encode: SchemaGetter.transform(() => "true" as const)
            })
          )
        )
      },
      success: list(InvoiceRecord, "InvoiceListBody")
    }).annotateMerge(
      summary(
        "The business's invoices, the newest first; `search` is the beginning of a number; with `overdue=true`, those that are overdue, due the longest first"
      )
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: InvoiceInput,
      success: InvoiceBody.pipe(created),
      error: [wireErrors.conflict, wireErrors.planLimitExceeded]
    }).annotateMerge(
      summary("Create an invoice or a draft, of items or of trips; without items, each trip gets a line")
    ),
    HttpApiEndpoint.get("read", "/:id", {
      params,
      success: tagged(InvoiceBody),
      error: wireErrors.notFound
    }).annotateMerge(summary("One invoice")),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      headers: ifMatch,
      payload: InvoiceChanges,
      success: tagged(InvoiceBody),
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(
      summary("Change an invoice; of one that was issued, sent, viewed or paid, only the notes")
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      headers: ifMatch,
      payload: confirmationPayload,
      success: tagged(data(DeletionResult, "InvoiceDeletedBody")),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.confirmationRequired]
    })
      .annotateMerge(
        summary("Void an invoice without payments, which stays readable under its number; or remove a draft")
      )
      .annotateMerge(optionalBody),
    HttpApiEndpoint.post("issue", "/:id/issue", {
      params,
      success: InvoiceBody,
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.planLimitExceeded]
    }).annotateMerge(
      summary("Issue an invoice: a draft gets its number, and it does not change from then on")
    ),
    HttpApiEndpoint.post("correct", "/:id/correct", {
      params,
      payload: InvoiceCorrection,
      success: InvoiceBody.pipe(created),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.planLimitExceeded]
    }).annotateMerge(
      summary("Correct an issued invoice: credit the rest of it, and issue a new one with the changed fields")
    ),
    HttpApiEndpoint.get("timeline", "/:id/timeline", {
      params,
      query: paging,
      success: list(InvoiceTimelineRecord, "InvoiceTimelineBody"),
      error: wireErrors.notFound
    }).annotateMerge(
      summary("The history of an invoice: each change with its author and time, the oldest first")
    ),
    HttpApiEndpoint.post("void", "/:id/void", {
      params,
      success: InvoiceBody,
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.illegalTransition]
    }).annotateMerge(summary("Void an unpaid invoice; its trips can then be invoiced again")),
    HttpApiEndpoint.post("attachTrips", "/:id/trips", {
      params,
      payload: AttachedTrips,
      success: InvoiceBody,
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(
      summary("Attach trips to an invoice that was not issued; each gets a line at its price")
    ),
    HttpApiEndpoint.delete("detachTrips", "/:id/trips", {
      params,
      headers: ifMatch,
      payload: DetachedTrips,
      success: tagged(InvoiceBody),
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(summary("Detach trips and their lines from an invoice that was not issued")),
    HttpApiEndpoint.get("payments", "/:id/payments", {
      params,
      query: paging,
      success: list(PaymentRecord, "PaymentListBody"),
      error: wireErrors.notFound
    }).annotateMerge(summary("The payments and refunds of an invoice, the oldest first")),
    HttpApiEndpoint.post("pay", "/:id/payments", {
      params,
      payload: PaymentInput,
      success: data(ReceivedPaymentRecord, "PaymentBody").pipe(created),
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(
      summary("Record a received payment; what exceeds the amount due is credit of the customer")
    ),
    HttpApiEndpoint.post("applyCredit", "/:id/apply-credit", {
      params,
      payload: [CreditUseInput, Schema.Null],
      success: InvoiceBody,
      error: [wireErrors.notFound, wireErrors.conflict]
    })
      .annotateMerge(optionalBody)
      .annotateMerge(
        summary(
          "Pay an invoice from the credit of its customer; without `amount`, as much as is due and there is"
        )
      ),
    HttpApiEndpoint.post("reverse", "/:id/payments/:payment_id/reverse", {
      params: { ...params, payment_id: recordId(PaymentId) },
      payload: ReversalInput,
      success: data(ReversalRecord, "ReversalBody").pipe(created),
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(
      summary(
        "Undo a payment or a refund that was entered by mistake; `entries` are all entries of the reversal"
      )
    ),
    HttpApiEndpoint.post("refund", "/:id/payments/:payment_id/refund", {
      params: { ...params, payment_id: recordId(PaymentId) },
      payload: RefundInput,
      success: data(RefundRecord, "RefundBody").pipe(created),
      error: [wireErrors.notFound, wireErrors.conflict, ...providerErrors]
    })
      .annotateMerge(callsOut)
      .annotateMerge(
        summary(
          "Refund a payment in part or in full, a card payment at the payment provider; `entries` are all entries of the refund"
        )
      )
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("billing"))
  .prefix(`${basePath}/invoices`)
  .annotateMerge(OpenApi.annotations({ title: "Invoices" }))
