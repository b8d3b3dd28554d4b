/** The port for push messages to browsers (Web Push, RFC 8030 and RFC 8291). */
import { Context, type Effect } from "effect"
import type { MailRefused } from "../../mail/Mailer.ts"

/** What a push message shows, and the page that it opens. */
export interface PushContent {
  readonly title: string
  readonly body: string
  readonly url: string | null
}

/**
 * - `publicKey`: the key by which a browser subscribes (VAPID, RFC 8292), in base64url.
 * - `send`: encrypts a message for a subscription, the text of `PushSubscription.toJSON()`, and hands it to the push service.
 *   `"gone"` if the service no longer has the subscription, or the text is none.
 */
export interface PushMessagesShape {
  readonly publicKey: Effect.Effect<string>
  readonly send: (subscription: string, content: PushContent) => Effect.Effect<"sent" | "gone", MailRefused>
}

/** The sender of push messages. By default there is none: no browser can subscribe. */
export const PushMessages = Context.Reference<PushMessagesShape | undefined>("@livery/domain/PushMessages", {
  defaultValue: () => undefined
})
