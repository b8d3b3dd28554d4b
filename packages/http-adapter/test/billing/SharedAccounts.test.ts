// Several installations on one account of the payment provider, and an installation whose name there changes.
import { assert } from "@effect/vitest"
import { PaymentProvider } from "@livery/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { providerOn } from "../support/EmulatedProvider.ts"
import { openServer, record, records } from "../support/TestServer.ts"
import { billingPg } from "./Billing.ts"
import { cards, notify, refundAtProvider } from "./CardBusiness.ts"

const dueOf = { status: "unpaid", amount_paid: 0, amount_due: 100 }

billingPg("a notice about an intent of another installation with an equal business and invoice", (it) => {
  it.effect("enters neither its payment nor its refund", () =>
    Effect.gen(function* () {
      const { businessId, emulator, invoice, ledger, read, server } = yield* cards
      const made = yield* invoice()
      const other = yield* providerOn(emulator, "other")
      const { intent_id } = yield* other.createIntent({
        invoice: { business_id: businessId as never, invoice_id: made["invoice_id"] as never },
        due: { minor: 10_000, currency: String(made["currency"]) as never },
        attempt: 0,
        description: "Invoice"
      })
      yield* emulator.pay(intent_id, "pm_card_visa")
      record(yield* notify(server, emulator, "payment_intent.succeeded"))
      yield* refundAtProvider(emulator, intent_id, 30)
      record(yield* notify(server, emulator, "refund.created"))
      assert.deepStrictEqual(yield* ledger(made), [])
      assert.deepInclude(yield* read(made["invoice_id"]), dueOf)
    })
  )
})

billingPg("an installation whose name at the provider changes", (it) => {
  const renamed = Effect.gen(function* () {
    const owner = yield* cards
    const provider = yield* providerOn(owner.emulator, "renamed")
    const server = yield* openServer().pipe(Effect.provideService(PaymentProvider, provider))
    return { ...owner, renamed: server }
  })

  it.effect("enters the payment of an intent that it created before", () =>
    Effect.gen(function* () {
      const { emulator, invoice, ledger, payByCard, renamed: server } = yield* renamed
      const made = yield* invoice()
      yield* payByCard(made)
      record(yield* notify(server, emulator, "payment_intent.succeeded"))
      assert.deepStrictEqual(yield* ledger(made), [["payment", 100]])
    })
  )

  it.effect("enters each refund of such a payment, once", () =>
    Effect.gen(function* () {
      const { emulator, invoice, key, ledger, payByCard, renamed: server, send, succeeded } = yield* renamed
      const made = yield* invoice()
      yield* payByCard(made)
      record(yield* succeeded)
      const path = `/invoices/${String(made["invoice_id"])}/payments`
      const [payment] = records(yield* send("GET", path))
      const refund = (amount: number) =>
        server.send("POST", `${path}/${String(payment?.["payment_id"])}/refund`, {
          credential: key,
          body: { amount }
        })
      assert.deepInclude(record(yield* refund(20)), { kind: "refund", amount: 20 })
      record(yield* notify(server, emulator, "refund.created"))
      assert.deepStrictEqual(yield* ledger(made), [
        ["payment", 100],
        ["refund", 20]
      ])
    })
  )
})

billingPg("a card payment of a business that moved to this installation", (it) => {
  it.effect("is refunded at the provider and in the ledger", () =>
    Effect.gen(function* () {
      const { businessId, invoice, ledger, payByCard, send, succeeded } = yield* cards
      const made = yield* invoice()
      yield* payByCard(made)
      record(yield* succeeded)
      // An import brings the payments, and no intents.
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM card_intents WHERE business_id = ${businessId}`
      const path = `/invoices/${String(made["invoice_id"])}/payments`
      const [payment] = records(yield* send("GET", path))
      record(yield* send("POST", `${path}/${String(payment?.["payment_id"])}/refund`, { amount: 20 }))
      assert.deepStrictEqual(yield* ledger(made), [
        ["payment", 100],
        ["refund", 20]
      ])
    })
  )
})
