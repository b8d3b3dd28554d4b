/** What a request to email a customer's statement has, and its answer. */
import { Schema } from "effect"
import { emailAddressOrBlank } from "../../kernel/fields/EmailAddress.ts"
import { orNull } from "../../kernel/fields/Optional.ts"
import { optionalText } from "../../kernel/fields/Text.ts"
import { EmailStatus } from "../../mail/EmailStatus.ts"
import { CustomerStatementQuery } from "../ledger/Statement.ts"

/** The body of `POST /customers/{id}/statement/send`: the days, the recipient (by default the customer), and a text above. */
export const StatementEmailInput = Schema.Struct({
  ...CustomerStatementQuery.fields,
  email: orNull(emailAddressOrBlank),
  message: optionalText(5000)
})
export type StatementEmailInput = typeof StatementEmailInput.Type

/** A statement in the outbox. */
export const StatementEmailRecord = Schema.Struct({
  email_status: EmailStatus,
  email: Schema.String,
  sent_at: Schema.String,
  email_credits: Schema.Int
})
export type StatementEmailRecord = typeof StatementEmailRecord.Type
