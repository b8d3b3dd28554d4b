import { Context, type Effect, Schema } from "effect"
import type { Letter } from "./Mail.ts"

/** The mail server did not take the letter; it is tried again later. */
export class MailRefused extends Schema.TaggedError<MailRefused>()("MailRefused", { reason: Schema.String }) {
  override get message() {
    return `The mail was not taken: ${this.reason}`
  }
}

/** The port that hands one letter to a mail server, or writes it where a developer finds it. */
export class Mailer extends Context.Service<
  Mailer,
  { readonly send: (letter: Letter) => Effect.Effect<void, MailRefused> }
>()("@livery/domain/Mailer") {}
