/** The body of a payment for a booking. */
import { Schema } from "effect"
import { PaymentInput } from "../../billing/ledger/Payment.ts"
import { PaymentLinkInput } from "../../billing/invoice/PaymentLink.ts"

/** The body of a payment for a booking. The taxes are those of the line, if an invoice has to be raised. */
export const BookingPaymentInput = Schema.Struct({ ...PaymentInput.fields, ...PaymentLinkInput.fields })
export type BookingPaymentInput = typeof BookingPaymentInput.Type
