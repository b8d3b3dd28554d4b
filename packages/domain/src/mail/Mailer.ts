/** The port that hands messages to a mail server. */
import { Context, type Effect, Schema } from "effect"
import type { MailMessage, MailStamp } from "./MailMessage.ts"

/** The mail server did not accept the message. The sender tries again later. */
export class MailRefused extends Schema.TaggedError<MailRefused>()("MailRefused", { reason: Schema.String }) {
  override get message() {
    return `The message was not accepted: ${this.reason}`
  }
}

/**
 * - `send`: hands a message to the mail server, or writes it to a file for development. `stamp` is the same at each attempt.
 */
export class Mailer extends Context.Service<
  Mailer,
  { readonly send: (message: MailMessage, stamp: MailStamp) => Effect.Effect<void, MailRefused> }
>()("@livery/domain/Mailer") {}
