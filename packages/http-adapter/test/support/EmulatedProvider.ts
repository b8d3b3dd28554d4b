import { PaymentProvider } from "@livery/domain"
import { StripePayments } from "@livery/integrations"
import type { StripeEmulator } from "@livery/stripe-emulator"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"

/** The payment provider over an emulated account, for the installation of that name. It uses the real clock, so that its retries need no adjusted one. */
export const providerOn = Effect.fnUntraced(function* (
  { secretKey, url, webhookSecret }: StripeEmulator,
  installation = "test"
) {
  const built = yield* Layer.build(
    Layer.fresh(
      StripePayments.layer({
        secretKey,
        webhookSecret,
        apiBase: url,
        installation,
        retryDelay: "1 millis"
      })
    )
  )
  const provider = yield* PaymentProvider.pipe(Effect.provideContext(built))
  return PaymentProvider.of({
    ...provider,
    createIntent: (request) => TestClock.withLive(provider.createIntent(request)),
    refund: (request) => TestClock.withLive(provider.refund(request)),
    changeQuantity: (change) => TestClock.withLive(provider.changeQuantity(change))
  })
})
