import type { PaymentProvider } from "@livery/domain"
import { StripePayments, type StripeSettingRefused } from "@livery/integrations"
import { assert, describe, it } from "@effect/vitest"
import { makeStripeEmulator } from "@livery/stripe-emulator"
import { Effect, Layer, Redacted } from "effect"
import { due, providerOn } from "./Provider.ts"

const key = Redacted.make("sk_test_abc123")

const build = (options: Partial<StripePayments.StripePaymentsOptions>) =>
  Effect.scoped(
    Layer.build(
      Layer.fresh(
        StripePayments.layer({
          secretKey: key,
          webhookSecret: Redacted.make("whsec_abc123"),
          apiBase: undefined,
          installation: "test",
          ...options
        })
      )
    )
  )

describe("the settings", () => {
  for (const apiBase of [
    undefined,
    "https://stripe.example.com",
    "http://127.0.0.1:4242",
    "http://localhost:4242/",
    "http://[::1]:4242"
  ])
    it.effect(`take ${apiBase ?? "no STRIPE_API_BASE"}`, () => build({ apiBase }))

  for (const [setting, options] of [
    ["STRIPE_SECRET_KEY", { secretKey: Redacted.make("pk_test_publishable") }],
    ["STRIPE_SECRET_KEY", { secretKey: Redacted.make("sk_test_with space") }],
    ["STRIPE_WEBHOOK_SECRET", { webhookSecret: Redacted.make("sk_test_mistaken") }],
    ["STRIPE_API_BASE", { apiBase: "http://stripe.example.com" }],
    ["STRIPE_API_BASE", { apiBase: "https://stripe.example.com/v1" }],
    ["STRIPE_API_BASE", { apiBase: "https://user:secretword@stripe.example.com" }],
    ["STRIPE_API_BASE", { apiBase: "ftp://stripe.example.com" }],
    ["STRIPE_API_BASE", { apiBase: "stripe.example.com" }]
  ] as const)
    it.effect(`refuse ${JSON.stringify(options)}, name ${setting}, and do not repeat it`, () =>
      Effect.gen(function* () {
        const refusal: StripeSettingRefused = yield* Effect.flip(build(options))
        assert.strictEqual(refusal.setting, setting)
        assert.match(refusal.message, new RegExp(`^${setting} is not `, "u"))
        for (const secret of ["publishable", "with space", "mistaken", "secretword"])
          assert.notInclude(refusal.message, secret)
      })
    )

  it.live("with a key that Stripe does not accept make the provider unavailable, without the key", () =>
    Effect.gen(function* () {
      const emulator = yield* makeStripeEmulator()
      const provider: typeof PaymentProvider.Service = yield* providerOn(emulator, {
        secretKey: Redacted.make("sk_test_revoked123")
      })
      const failure = yield* Effect.flip(provider.createIntent(due(500)))
      assert.strictEqual(failure._tag, "PaymentProviderUnavailable")
      assert.include(failure.message, "does not accept STRIPE_SECRET_KEY")
      assert.notInclude(JSON.stringify(failure), "revoked")
    })
  )

  it.live("that lead nowhere make the provider unavailable", () =>
    Effect.gen(function* () {
      const emulator = yield* makeStripeEmulator()
      const provider = yield* providerOn(emulator, { apiBase: "http://127.0.0.1:1" })
      const failure = yield* Effect.flip(provider.createIntent(due(500)))
      assert.strictEqual(failure._tag, "PaymentProviderUnavailable")
      assert.include(failure.message, "cannot be reached")
    })
  )
})
