/** The port that hands over messages of other channels than mail, and notes what became of notices. */
import { Context, type DateTime, type Effect, Schema } from "effect"
import type { BusinessId, NoticeId } from "../kernel/Ids.ts"
import type { MailRefused } from "./Mailer.ts"
import type { MailMessage, MailStamp } from "./MailMessage.ts"

/** A message that no attempt can deliver: the number is wrong, or no device is left. It is not tried again. */
export class MessageUndeliverable extends Schema.TaggedError<MessageUndeliverable>()("MessageUndeliverable", {
  reason: Schema.String
}) {
  override get message() {
    return `The message cannot be delivered: ${this.reason}`
  }
}

/** What a service said when it took a message: its name for the message, and in how many parts a text message was sent. */
export interface Handover {
  readonly reference: string | null
  readonly segments: number | null
}

/** What became of a notice. */
export type NoticeOutcome =
  | ({ readonly status: "sent"; readonly at: DateTime.Utc } & Handover)
  | { readonly status: "failed"; readonly at: DateTime.Utc; readonly reason: string }

/**
 * - `send`: hands a text message or a push message over. `MailRefused` is tried again, `MessageUndeliverable` is not.
 * - `note`: stores what became of a notice, in the open transaction.
 */
export class MessageChannels extends Context.Service<
  MessageChannels,
  {
    readonly send: (
      message: MailMessage,
      stamp: MailStamp
    ) => Effect.Effect<Handover, MailRefused | MessageUndeliverable>
    readonly note: (businessId: BusinessId, noticeId: NoticeId, outcome: NoticeOutcome) => Effect.Effect<void>
  }
>()("@livery/domain/MessageChannels") {}
