import { Effect } from "effect"
import type { SendOutcome } from "../../src/posting/SendOutcome.ts"
import { type SendRequest, WebhookSender } from "../../src/posting/WebhookSender.ts"

/** Posts by the `WebhookSender` and waits for the outcome; an interruption breaks the POST off. */
export const send = Effect.fnUntraced(function* (
  request: SendRequest
): Effect.fn.Return<SendOutcome, never, WebhookSender> {
  const sender = yield* WebhookSender
  const end = yield* sender.post(request)
  return end === "unsent" ? yield* Effect.die("nothing was sent") : end
})
