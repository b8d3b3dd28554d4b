/** Posts events to a receiver with the headers and the signature that the dispatcher uses. */
import { Cryptography, type EventBody, Signature } from "@livery/domain"
import { NodeCryptography } from "@livery/integrations"
import { deliveryHeaders, type SendOutcome, WebhookSender } from "@livery/webhooks"
import { Clock, Effect, Layer } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { Flag } from "effect/cli"
import { isHttpUrl } from "../settings/Addresses.ts"
import { printable } from "../terminal/TerminalLine.ts"

/** The flag for the address of the receiver. */
export const forwardTo = Flag.String("forward-to").pipe(
  Flag.filter(isHttpUrl, () => "Expected an http or https address, such as http://localhost:8080/webhooks"),
  Flag.withDescription("The address of the receiver, such as http://localhost:8080/webhooks")
)

/** `LIVERY_WEBHOOK_SECRET`, or a new secret in the form of an endpoint's. */
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

/** Returns a function that posts an event to the receiver, and the secret that it signs with. */
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
      const outcome = yield* sender.post({ url, headers, body })
      return outcome === "unsent" ? yield* Effect.die("nothing was sent") : outcome
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
  `${type}  ${printable(id)}  ${responseStatus ?? error ?? ""}`
