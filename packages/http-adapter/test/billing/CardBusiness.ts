/** Businesses whose customers pay by card on an emulated account, for tests over HTTP. */
import { PaymentProvider } from "@livery/domain"
import { assert } from "@effect/vitest"
import { makeStripeEmulator, type StripeEmulator } from "@livery/stripe-emulator"
import { Effect, Redacted } from "effect"
import { providerOn } from "../support/EmulatedProvider.ts"
import { openServer, record, records, type TestServer } from "../support/TestServer.ts"
import { biller } from "./Billing.ts"

/** The route of the provider's notices. */
export const stripePath = "/public/payments/stripe"

/** Sends a notice of the emulator's account to the API. */
export const notify = Effect.fnUntraced(function* (
  server: TestServer,
  emulator: StripeEmulator,
  type: string,
  change: (body: string, signature: string) => readonly [body: string, signature: string] = (
    body,
    signature
  ) => [body, signature]
) {
  const event = emulator.events().findLast((it) => it.type === type)
  if (event === undefined) return assert.fail(`no event ${type}`)
  const { body, headers } = yield* emulator.notice(event)
  const given = Object.entries(headers).find(([name]) => name.toLowerCase() === "stripe-signature")?.[1] ?? ""
  const [text, signature] = change(body, given)
  return yield* server.send("POST", stripePath, { text, headers: { "stripe-signature": signature } })
})

/** Refunds an amount of an intent at the provider, past Livery. No notice is sent. */
export const refundAtProvider = (emulator: StripeEmulator, intent: string, amount: number) =>
  Effect.promise(async () => {
    const { status } = await fetch(`${emulator.url}/v1/refunds`, {
      method: "POST",
      headers: { Authorization: `Bearer ${Redacted.value(emulator.secretKey)}` },
      body: new URLSearchParams({ payment_intent: intent, amount: String(amount * 100) })
    })
    assert.strictEqual(status, 200)
  })

/** A business whose customers pay by card, on an emulated account. */
export const cardsWith = Effect.fnUntraced(function* (options: Parameters<typeof openServer>[0] = {}) {
  const emulator = yield* makeStripeEmulator()
  const provider = yield* providerOn(emulator)
  const server = yield* openServer(options).pipe(Effect.provideService(PaymentProvider, provider))
  const owner = yield* biller(server)
  const begin = (invoice: Readonly<Record<string, unknown>>) =>
    server.send("POST", `/public/invoices/${String(invoice["payment_hash"])}/pay`)
  const intentOf = (secret: unknown) => String(secret).split("_secret_")[0] ?? ""
  return {
    ...owner,
    server,
    emulator,
    withProvider: Effect.provideService(PaymentProvider, provider),
    begin,
    /** Pays the amount due as the customer. The notice is not sent. */
    payByCard: Effect.fnUntraced(function* (
      invoice: Readonly<Record<string, unknown>>,
      card = "pm_card_visa"
    ) {
      const { client_secret } = record(yield* begin(invoice))
      yield* emulator.pay(intentOf(client_secret), card)
      return intentOf(client_secret)
    }),
    succeeded: notify(server, emulator, "payment_intent.succeeded"),
    ledger: (invoice: Readonly<Record<string, unknown>>) =>
      Effect.map(owner.send("GET", `/invoices/${String(invoice["invoice_id"])}/payments`), (answer) =>
        records(answer).map(({ amount, kind }) => [kind, amount])
      )
  }
})

/** {@link cardsWith} without options. */
export const cards = Effect.suspend(() => cardsWith())
