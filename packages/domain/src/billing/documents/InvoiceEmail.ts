/** An email with an invoice, and the body of a request for one. */
import { Schema } from "effect"
import { emailAddressOrBlank } from "../../kernel/fields/EmailAddress.ts"
import { orNull, yesOrNo } from "../../kernel/fields/Optional.ts"
import { EmailStatus } from "../../mail/EmailStatus.ts"
import { optionalText } from "../../kernel/fields/Text.ts"

/**
 * The body of `POST /invoices/{id}/email`: the recipient, by default the customer, and the text above the invoice's. `force: true`
 * sends a PDF that shows replacement signs for want of a font.
 */
export const InvoiceEmailInput = Schema.Struct({
  to: orNull(emailAddressOrBlank),
  message: optionalText(5000),
  force: yesOrNo(false)
})
export type InvoiceEmailInput = typeof InvoiceEmailInput.Type

/** An email in the outbox; the invoice says later whether it was sent. `missing_characters` are the characters in whose place the PDF shows a replacement sign. */
export const InvoiceEmailRecord = Schema.Struct({
  email_status: EmailStatus,
  to: Schema.String,
  sent_at: Schema.String,
  email_credits: Schema.Int,
  missing_characters: Schema.Array(Schema.String)
})
export type InvoiceEmailRecord = typeof InvoiceEmailRecord.Type
