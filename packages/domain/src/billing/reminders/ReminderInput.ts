/** The bodies of requests about reminders, and their answers. */
import { Schema } from "effect"
import { emailAddressOrBlank } from "../../kernel/fields/EmailAddress.ts"
import { omittable, orNull, yesOrNo } from "../../kernel/fields/Optional.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { InvoiceId } from "../../kernel/Ids.ts"
import { EmailStatus } from "../../mail/EmailStatus.ts"
import { LetterLanguage } from "../../mail/words/LetterWordsOf.ts"
import { ReminderWording } from "./Dunning.ts"

/**
 * The body of `POST /invoices/{id}/remind`: another recipient than the customer, `fee: false` for a letter without a fee, and
 * `force: true` for a second reminder on the same day.
 */
export const ReminderInput = Schema.Struct({
  to: orNull(emailAddressOrBlank),
  fee: yesOrNo(true),
  force: yesOrNo(false)
})
export type ReminderInput = typeof ReminderInput.Type

/** A reminder that was sent: its level, the email, and the invoice of its fee. */
export const ReminderRecord = Schema.Struct({
  invoice_id: Value.id(InvoiceId).wire,
  level: Schema.Int,
  email_status: EmailStatus,
  to: Schema.String,
  sent_at: Schema.String,
  fee: Value.amount.wire,
  fee_invoice_id: Schema.NullOr(Value.id(InvoiceId).wire)
})
export type ReminderRecord = typeof ReminderRecord.Type

/** The body of a preview: a language, and a wording in it. Without a wording, the letter has Livery's words. */
export const ReminderPreviewInput = Schema.Struct({
  language: LetterLanguage,
  wording: omittable(ReminderWording)
})
export type ReminderPreviewInput = typeof ReminderPreviewInput.Type

/** The letter of an invoice that is an example. */
export const ReminderPreview = Schema.Struct({ subject: Schema.String, text: Schema.String })
export type ReminderPreview = typeof ReminderPreview.Type
