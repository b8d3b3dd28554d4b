/** Posts events to a receiver as the dispatcher does: with the same headers, signed. */
import { Cryptography, type EventBody, Signature } from "@livery/domain"
import { NodeCryptography } from "@livery/integrations"
import { deliveryHeaders, type SendOutcome, WebhookSender } from "@livery/webhooks"
import { Clock, Effect, Layer } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { Flag } from "effect/cli"

export const forwardTo = Flag.String("forward-to").pipe(
  Flag.withDescription("The address of the receiver, such as http://localhost:8080/webhooks")
)

/** The secret of `LIVERY_WEBHOOK_SECRET`, else a new one of the same form as an endpoint's. */
const signingSecret = Effect.gen(function* () {
  const configured = process.env["LIVERY_WEBHOOK_SECRET"] ?? ""
  if (configured !== "") return configured
  const cryptography = yield* Cryptography
  return `whsec_${Base64Url.encode(yield* cryptography.randomBytes(32))}`
})

/** An event with its exact body. */
export interface EventToForward extends Pick<EventBody, "id" | "type"> {
  readonly body: string
}

/** Makes the function that forwards, and returns it with the secret that it signs with. */
export const makeForward = (url: string) =>
  Effect.gen(function* () {
    const sender = yield* WebhookSender
    const cryptography = yield* Cryptography
    const secret = yield* signingSecret
    const forward = Effect.fnUntraced(function* ({ body, id, type }: EventToForward) {
      const seconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const signature = yield* Signature.sign(seconds, body, [secret]).pipe(
        Effect.provideService(Cryptography, cryptography)
      )
      const headers = deliveryHeaders({ eventType: type, eventId: id, signature })
      return yield* Effect.callback<SendOutcome>((resume) => {
        const breakOff = sender.post({ url, headers, body }, (end) =>
          resume(end === "unsent" ? Effect.die("nothing was sent") : Effect.succeed(end))
        )
        return Effect.sync(breakOff)
      })
    })
    return { secret, forward }
  })

/**
 * The services that forwarding needs. Every address is allowed, because a developer's receiver is on the same machine.
 */
export const ForwardingLive = Layer.merge(
  WebhookSender.layer({ allowInsecure: true }),
  NodeCryptography.layer
)

/** A line for a forwarded event: its type, its id, and the status of the response or the error. */
export const lineOf = ({ id, type }: EventToForward, { error, responseStatus }: SendOutcome): string =>
  `${type}  ${id}  ${responseStatus ?? error ?? ""}`
