/** Verifies the notices that Stripe sends, by the SDK. */
import { PaymentNoticeRefused } from "@livery/domain"
import { Effect } from "effect"

/** How old a signature may be, in seconds: Stripe signs each attempt anew. */
const tolerance = 300

/**
 * Whether the time `t` of the signature header is more than {@link tolerance} ahead of `now`. The SDK refuses only
 * times that are too old.
 */
const isFromTheFuture = (signature: string, now: number) => {
  const signedAt = Number(/(?:^|,)\s*t=(\d{1,12})(?:,|$)/u.exec(signature)?.[1])
  return signedAt - now / 1000 > tolerance
}

/** The reason of a refusal. The SDK's own messages are not used, because they contain the body and links. */
const reasonOf = (cause: unknown): string => {
  const text = cause instanceof Error ? cause.message : ""
  if (text.startsWith("Timestamp outside the tolerance zone"))
    return "its signature is older than five minutes"
  if (cause instanceof SyntaxError) return "it is signed, but it is not JSON"
  return "its signature is wrong"
}

/** The event in a body that the holder of `secret` signed. `now` in milliseconds. */
export const verifiedEvent = (
  body: Uint8Array,
  signature: string | undefined,
  secret: string,
  now: number
): Effect.Effect<unknown, PaymentNoticeRefused> => {
  const refuse = (reason: string) => new PaymentNoticeRefused({ reason })
  if (signature === undefined || signature === "") return Effect.fail(refuse("it has no signature"))
  if (isFromTheFuture(signature, now)) return Effect.fail(refuse("its signature is from the future"))
  return Effect.tryPromise({
    try: async (): Promise<unknown> => {
      const { Stripe } = await import("stripe")
      const payload = Buffer.from(body)
      try {
        return Stripe.webhooks.constructEvent(payload, signature, secret, tolerance, undefined, now)
      } catch (cause) {
        // After the signature, the SDK refuses events of some newer kinds by an error without a type.
        const isUnverified = cause instanceof Stripe.errors.StripeSignatureVerificationError
        if (isUnverified || cause instanceof SyntaxError) throw cause
        return JSON.parse(payload.toString("utf8"))
      }
    },
    catch: (cause) => refuse(reasonOf(cause))
  })
}
