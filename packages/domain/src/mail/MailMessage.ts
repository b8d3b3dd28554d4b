/**
 * Messages to people. A use case stores a message in the outbox within its own transaction, and the sender delivers it
 * later. So no request waits for a mail server, and its duration reveals nothing about the recipient.
 */
import { Schema } from "effect"

/**
 * The recipient of a message that is never sent. A use case writes such a message for an unknown account, so that it takes
 * as long as for a known one.
 */
export const noRecipient = ""

/** A plain-text message to one address, or to {@link noRecipient}. */
export const MailMessage = Schema.Struct({
  to: Schema.String,
  subject: Schema.String,
  text: Schema.String
})
export type MailMessage = typeof MailMessage.Type
