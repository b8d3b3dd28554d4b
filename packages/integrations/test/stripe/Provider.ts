/** The provider over an emulated Stripe account. */
import {
  BusinessId,
  currencies,
  type Currency,
  InvoiceId,
  type NewIntent,
  PaymentProvider
} from "@livery/domain"
import { StripePayments } from "@livery/integrations"
import { makeStripeEmulator, type StripeEmulator } from "@livery/stripe-emulator"
import { Effect, Layer } from "effect"

export const currency = (code: string): Currency => currencies.find((it) => it === code) ?? (code as Currency)

export const invoice = { business_id: BusinessId.make(7), invoice_id: InvoiceId.make(17) }

/** An intent for the invoice, of `minor` units. */
export const due = (minor: number, code = "USD", attempt = 0): NewIntent => ({
  invoice,
  due: { minor, currency: currency(code) },
  attempt,
  description: "Invoice INV-000017"
})

/** The provider of an installation on an emulated account. */
export const providerOn = Effect.fnUntraced(function* (
  emulator: StripeEmulator,
  options: Partial<StripePayments.StripePaymentsOptions> = {}
) {
  const built = yield* Layer.build(
    Layer.fresh(
      StripePayments.layer({
        secretKey: emulator.secretKey,
        webhookSecret: emulator.webhookSecret,
        apiBase: emulator.url,
        installation: "test",
        ...options
      })
    )
  )
  return yield* PaymentProvider.pipe(Effect.provideContext(built))
})

/** A new emulated account, and the provider. */
export const payments = Effect.fnUntraced(function* (
  options: Partial<StripePayments.StripePaymentsOptions> = {}
) {
  const emulator = yield* makeStripeEmulator()
  return { emulator, provider: yield* providerOn(emulator, options) }
})

/** A paid intent, and the provider that made it. */
export const paid = Effect.fnUntraced(function* (minor: number, card?: string) {
  const { emulator, provider } = yield* payments()
  const { intent_id } = yield* provider.createIntent(due(minor))
  yield* emulator.pay(intent_id, card)
  return { emulator, provider, intent_id }
})
