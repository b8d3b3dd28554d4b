import { Effect } from "effect"
import type { SendOutcome } from "../../src/posting/SendOutcome.ts"
import { type SendRequest, WebhookSender } from "../../src/posting/WebhookSender.ts"

/** Posts by the `WebhookSender` and waits for the outcome; an interruption breaks the POST off. */
export const send = (request: SendRequest): Effect.Effect<SendOutcome, never, WebhookSender> =>
  WebhookSender.use(({ post }) =>
    Effect.callback((resume) => {
      const breakOff = post(request, (end) =>
        resume(end === "unsent" ? Effect.die("nothing was sent") : Effect.succeed(end))
      )
      return Effect.sync(breakOff)
    })
  )
