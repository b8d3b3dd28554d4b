import { Effect, Exit, Layer } from "effect"
import { WebhookSender } from "../src/WebhookSender.ts"
import type { SendOutcome, SendRequest } from "../src/WebhookSender.ts"

/** A sender that answers as an effect says, by the clock of who builds it. */
export const senderThat = (
  send: (request: SendRequest) => Effect.Effect<SendOutcome>
): Layer.Layer<WebhookSender> =>
  Layer.effect(
    WebhookSender,
    Effect.map(Effect.context(), (context) =>
      WebhookSender.over((request, ended) => {
        const fiber = Effect.runForkWith(context)(send(request))
        fiber.addObserver((exit) => {
          if (Exit.isSuccess(exit)) ended(exit.value)
        })
        return () => fiber.interruptUnsafe()
      })
    )
  )
