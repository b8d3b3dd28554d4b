/** The headers of a delivery (docs/receiving-webhooks.md). */
import { Signature } from "@livery/domain"

const userAgent = "Livery-Webhooks/1.0"

/** All headers of a POST that Livery sets itself: the type of the body, the event's type and id, and the signature. */
export const deliveryHeaders = (delivery: {
  readonly eventType: string
  readonly eventId: string
  /** The value of the signature's header. */
  readonly signature: string
}): Readonly<Record<string, string>> => ({
  "Content-Type": "application/json",
  "User-Agent": userAgent,
  "X-Service-Event": delivery.eventType,
  "X-Service-Delivery": delivery.eventId,
  [Signature.signatureHeader]: delivery.signature
})
