/** An emulator with Stripe's own SDK pointed at it. */
import { makeStripeEmulator, type StripeEmulator, type StripeEmulatorOptions } from "@livery/stripe-emulator"
import { Effect, Redacted } from "effect"
import { Stripe } from "stripe"

/** The SDK as an account's owner or, with another key, as another user. It does not retry by itself. */
export const sdkOf = ({ secretKey, url }: StripeEmulator, key = Redacted.value(secretKey)) =>
  new Stripe(key, {
    host: "127.0.0.1",
    port: new URL(url).port,
    protocol: "http",
    maxNetworkRetries: 0,
    timeout: 60_000,
    telemetry: false
  })

/** A new emulator and the SDK. */
export const emulated = (options: StripeEmulatorOptions = {}) =>
  Effect.map(makeStripeEmulator(options), (emulator) => ({ emulator, stripe: sdkOf(emulator) }))

/** The error that a request of the SDK fails with. */
export const failureOf = (request: () => Promise<unknown>) =>
  Effect.promise(async () => {
    try {
      await request()
    } catch (thrown) {
      if (thrown instanceof Stripe.errors.StripeError) return thrown
      throw thrown
    }
    throw new Error("The request succeeded")
  })

/** The result of a request of the SDK. */
export const call = <A>(request: () => Promise<A>) => Effect.promise(request)

/** A new emulator and the SDK, with an intent of 100 EUR that was paid with a test card. */
export const paidIntent = Effect.fnUntraced(function* (paymentMethod = "pm_card_visa") {
  const { emulator, stripe } = yield* emulated()
  const intent = yield* call(() =>
    stripe.paymentIntents.create({
      amount: 10_000,
      currency: "eur",
      confirm: true,
      payment_method: paymentMethod
    })
  )
  return { emulator, stripe, payment_intent: intent.id }
})
