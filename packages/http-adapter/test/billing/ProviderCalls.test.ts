import { PaymentProvider } from "@livery/domain"
import { assert } from "@effect/vitest"
import { StripePayments } from "@livery/integrations"
import { makeStripeEmulator } from "@livery/stripe-emulator"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { watchTransactions } from "../support/OpenTransactions.ts"
import { openServer, record, records } from "../support/TestServer.ts"
import { biller, billingPg } from "./Billing.ts"
import { notify } from "./CardBusiness.ts"

/** An emulated account, and a provider that records the number of open transactions before each call. */
const watchedProvider = Effect.gen(function* () {
  const emulator = yield* makeStripeEmulator()
  const { secretKey, url, webhookSecret } = emulator
  const built = yield* Layer.build(
    Layer.fresh(StripePayments.layer({ secretKey, webhookSecret, apiBase: url, installation: "test" }))
  )
  const provider = yield* PaymentProvider.pipe(Effect.provideContext(built))
  const { open, watched } = yield* watchTransactions
  const service = PaymentProvider.of({
    ...provider,
    createIntent: watched(provider.createIntent),
    intent: watched(provider.intent),
    cancelIntent: watched(provider.cancelIntent),
    refund: watched(provider.refund),
    refundsOf: watched(provider.refundsOf),
    changeQuantity: watched(provider.changeQuantity)
  })
  return { emulator, open, service }
})

billingPg("the payment provider", (it) => {
  for (const keyed of [false, true])
    it.effect(
      `is called while no transaction is open, for each route that calls it, ${keyed ? "with" : "without"} an Idempotency-Key`,
      () =>
        Effect.gen(function* () {
          const { emulator, open, service } = yield* watchedProvider
          const plain = yield* openServer().pipe(Effect.provideService(PaymentProvider, service))
          let requests = 0
          const server: typeof plain = {
            ...plain,
            send: (method, path, ask = {}) => {
              const headers = { ...ask.headers, "Idempotency-Key": `key ${requests++}` }
              return plain.send(method, path, keyed ? { ...ask, headers } : ask)
            }
          }
          const { businessId, invoice, payment, send, trip } = yield* biller(server, "pro")
          const made = yield* invoice()
          const begin = server.send("POST", `/public/invoices/${String(made["payment_hash"])}/pay`)
          record(yield* begin)
          yield* payment(made["invoice_id"], 40)
          record(yield* begin)
          const intent = emulator.intents().find(({ status }) => status === "requires_payment_method")
          yield* emulator.pay(intent?.id ?? "none")
          record(yield* notify(server, emulator, "payment_intent.succeeded"))
          const path = `/invoices/${String(made["invoice_id"])}`
          const [, card] = records(yield* send("GET", `${path}/payments`))
          record(
            yield* send("POST", `${path}/payments/${String(card?.["payment_id"])}/refund`, { amount: 10 })
          )
          record(yield* notify(server, emulator, "refund.created"))
          record(yield* send("POST", `${path}/credit-notes`, {}))
          const { trip_id } = yield* trip({ total_amount: 90 })
          record(yield* send("POST", `/trips/${String(trip_id)}/payment-link`))
          const { product_id } = record(
            yield* send("POST", "/products", { name: "Tour", kind: "other", price: 9 })
          )
          const { booking_id } = record(
            yield* send("POST", "/bookings", {
              product_id,
              starts_at: "2026-12-24T10:00:00Z",
              customer_name: "Ada"
            })
          )
          record(yield* send("POST", `/bookings/${String(booking_id)}/payment-link`))
          const sql = yield* SqlClient.SqlClient
          const item = (yield* emulator.subscribe("usd", [{ unitAmount: 1500, quantity: 0 }])).items.data[0]
            ?.id
          yield* sql`UPDATE businesses SET subscription_item_id = ${item ?? ""} WHERE business_id = ${businessId}`
          yield* sql`
          INSERT INTO drivers (business_id, name, active, created_at, updated_at)
          SELECT ${businessId}, 'Driver ' || n, true, now(), now() FROM generate_series(1, 10) n`
          record(yield* send("POST", "/drivers", { name: "New", confirm_seat: true }))
          assert.isAbove(open.length, 11)
          assert.deepStrictEqual(new Set(open), new Set([0]))
        })
    )
})
