import { Effect, Exit, Layer } from "effect"
import { type PostEnd, type SendRequest, WebhookSender } from "../../src/posting/WebhookSender.ts"

/** A sender whose outcomes are those of an effect, by the clock of the layer's context. */
export const answeringSender = (
  answer: (request: SendRequest) => Effect.Effect<PostEnd>
): Layer.Layer<WebhookSender> =>
  Layer.effect(
    WebhookSender,
    Effect.map(Effect.context(), (context) =>
      WebhookSender.of({
        post: (request, ended) => {
          const fiber = Effect.runForkWith(context)(answer(request))
          fiber.addObserver((exit) => {
            if (Exit.isSuccess(exit)) ended(exit.value)
          })
          return () => fiber.interruptUnsafe()
        }
      })
    )
  )
