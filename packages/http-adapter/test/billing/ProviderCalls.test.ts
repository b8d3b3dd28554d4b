import { PaymentProvider } from "@livery/domain"
import { assert } from "@effect/vitest"
import { StripePayments } from "@livery/integrations"
import { makeStripeEmulator } from "@livery/stripe-emulator"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { openWire, record, records } from "../support/Wire.ts"
import { biller, billing } from "./Billing.ts"
import { notify } from "./CardBusiness.ts"

/** An emulated account, and a provider that notes before each call how many transactions are open. */
const watchedProvider = Effect.gen(function* () {
  const emulator = yield* makeStripeEmulator()
  const { secretKey, url, webhookSecret } = emulator
  const built = yield* Layer.build(
    Layer.fresh(StripePayments.layer({ secretKey, webhookSecret, apiBase: url, installation: "test" }))
  )
  const provider = yield* PaymentProvider.pipe(Effect.provideContext(built))
  // Outside of the fiber of the request, so that the statement is none of its transaction.
  const run = Effect.runPromiseWith(yield* Effect.context<SqlClient.SqlClient>())
  const open: Array<number> = []
  const watch = Effect.promise(() =>
    run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ open: number }>`
          SELECT count(*)::int AS open FROM pg_stat_activity
          WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()
            AND backend_type = 'client backend'`
      )
    )
  ).pipe(Effect.map(([row]) => void open.push(row?.open ?? -1)))
  const watched =
    <Args extends ReadonlyArray<unknown>, A, E>(call: (...args: Args) => Effect.Effect<A, E>) =>
    (...args: Args) =>
      Effect.andThen(watch, call(...args))
  const service = PaymentProvider.of({
    ...provider,
    createIntent: watched(provider.createIntent),
    intent: watched(provider.intent),
    cancelIntent: watched(provider.cancelIntent),
    refund: watched(provider.refund),
    refundsOf: watched(provider.refundsOf)
  })
  return { emulator, open, service }
})

billing("the payment provider", (it) => {
  it.effect(
    "is called while no transaction is open: for payments, links, notices, refunds and credit notes",
    () =>
      Effect.gen(function* () {
        const { emulator, open, service } = yield* watchedProvider
        const wire = yield* openWire().pipe(Effect.provideService(PaymentProvider, service))
        const { invoice, payment, send, trip } = yield* biller(wire)
        const made = yield* invoice()
        const begin = wire.send("POST", `/public/invoices/${String(made["payment_hash"])}/pay`)
        record(yield* begin)
        yield* payment(made["invoice_id"], 40)
        record(yield* begin)
        const intent = emulator.intents().find(({ status }) => status === "requires_payment_method")
        yield* emulator.pay(intent?.id ?? "none")
        record(yield* notify(wire, emulator, "payment_intent.succeeded"))
        const path = `/invoices/${String(made["invoice_id"])}`
        const [, card] = records(yield* send("GET", `${path}/payments`))
        record(yield* send("POST", `${path}/payments/${String(card?.["payment_id"])}/refund`, { amount: 10 }))
        record(yield* notify(wire, emulator, "refund.created"))
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
        assert.isAbove(open.length, 10)
        assert.deepStrictEqual(new Set(open), new Set([0]))
      })
  )
})
