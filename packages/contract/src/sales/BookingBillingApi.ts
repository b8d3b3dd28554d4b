/** Paying for bookings (docs/api/invoices.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  BookingId,
  BookingPaymentInput,
  PaymentLinkInput,
  PaymentLinkRecord,
  PaymentRecord
} from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { optionalBody } from "../http/Confirmation.ts"
import { basePath, callsOut, created, recordId, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"
import { invoicingErrors, providerErrors } from "../http/PaymentErrors.ts"

const params = { id: recordId(BookingId) }

/**
 * The routes under `/bookings` that take money: payment links and received payments. For API keys and members with a
 * right in the area `billing`.
 */
export const BookingBillingApi = HttpApiGroup.make("bookingBilling")
  .add(
    HttpApiEndpoint.post("link", "/:id/payment-link", {
      params,
      payload: [PaymentLinkInput, Schema.Null],
      success: data(PaymentLinkRecord, "BookingPaymentLinkBody").pipe(created),
      error: [...invoicingErrors, ...providerErrors]
    })
      .annotateMerge(callsOut)
      .annotateMerge(optionalBody)
      .annotateMerge(
        summary(
          "Create the link with which the customer pays for the booking, and the booking's invoice if it has none"
        )
      ),
    HttpApiEndpoint.post("pay", "/:id/payments", {
      params,
      payload: BookingPaymentInput,
      success: data(PaymentRecord, "BookingPaymentBody").pipe(created),
      error: invoicingErrors
    }).annotateMerge(
      summary("Record a received payment of a booking; creates the booking's invoice if it has none")
    )
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("billing"))
  .prefix(`${basePath}/bookings`)
  .annotateMerge(OpenApi.annotations({ title: "Billing of bookings" }))
