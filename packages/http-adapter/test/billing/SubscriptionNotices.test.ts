import { PaymentProvider, ProviderNotices } from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beginning } from "../support/TestPorts.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"
import { assertStatuses, billingPg } from "./Billing.ts"
import { cards, notify, stripePath } from "./CardBusiness.ts"

const updated = "customer.subscription.updated"
const deleted = "customer.subscription.deleted"

/** A business with a subscription of an emulated account. */
const subscriber = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const it = yield* cards
  const subscription = yield* it.emulator.subscribe("usd", [{ unitAmount: 1500, quantity: 0 }])
  const item = subscription.items.data[0]?.id ?? "none"
  yield* sql`UPDATE businesses SET subscription_item_id = ${item} WHERE business_id = ${it.businessId}`
  return {
    ...it,
    subscription,
    notified: (type: string) => notify(it.server, it.emulator, type),
    status: Effect.map(
      sql<{ status: string }>`
        SELECT subscription_status AS status FROM businesses WHERE business_id = ${it.businessId}`,
      ([row]) => row?.status
    ),
    /** The changes in the audit log, the oldest first. */
    audited: Effect.map(
      sql<{ actor: string; before: object; after: object; reason: string }>`
        SELECT actor, before, after, reason FROM audit_log
        WHERE business_id = ${it.businessId} AND action = 'business.subscription_changed' ORDER BY audit_id`,
      (rows) =>
        rows.map(
          ({ actor, after, before, reason }) =>
            `${actor} ${Object.values(before).join()} ${Object.values(after).join()} ${reason.split(" ")[0] ?? ""}`
        )
    )
  }
})

billingPg("a notice about a business's subscription", (it) => {
  it.effect("changes subscription_status, and is in the audit log", () =>
    Effect.gen(function* () {
      const { audited, emulator, notified, status, subscription } = yield* subscriber
      assert.strictEqual(yield* status, "active")
      yield* emulator.setStatus(subscription.id, "past_due")
      assert.deepStrictEqual(record(yield* notified(updated)), { received: true })
      assert.strictEqual(yield* status, "past_due")
      yield* emulator.setStatus(subscription.id, "active")
      record(yield* notified(updated))
      assert.strictEqual(yield* status, "active")
      yield* emulator.endSubscription(subscription.id)
      record(yield* notified(deleted))
      assert.strictEqual(yield* status, "cancelled")
      assert.deepStrictEqual(yield* audited, [
        `payment_provider active past_due ${updated}`,
        `payment_provider past_due active ${updated}`,
        `payment_provider active cancelled ${deleted}`
      ])
    })
  )

  for (const [word, expected] of [
    ["trialing", "trialing"],
    ["active", "active"],
    ["past_due", "past_due"],
    ["unpaid", "past_due"],
    ["paused", "past_due"],
    ["incomplete", "past_due"],
    ["incomplete_expired", "cancelled"],
    ["canceled", "cancelled"]
  ] as const)
    it.effect(`makes ${word} of the provider ${expected}`, () =>
      Effect.gen(function* () {
        const { emulator, notified, status, subscription } = yield* subscriber
        yield* emulator.setStatus(subscription.id, word)
        record(yield* notified(updated))
        assert.strictEqual(yield* status, expected)
      })
    )

  it.effect("that a payment failed makes the business past_due by itself", () =>
    Effect.gen(function* () {
      const { audited, emulator, notified, status, subscription } = yield* subscriber
      yield* emulator.failRenewal(subscription.id)
      record(yield* notified("invoice.payment_failed"))
      assert.strictEqual(yield* status, "past_due")
      record(yield* notified(updated))
      assert.deepStrictEqual(yield* audited, ["payment_provider active past_due invoice.payment_failed"])
    })
  )

  it.effect("counts once when it is sent again, also at once, and overrides no later change by hand", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { audited, businessId, emulator, notified, status, subscription } = yield* subscriber
      yield* emulator.setStatus(subscription.id, "past_due")
      const answers = yield* Effect.all(
        Array.from({ length: 6 }, () => notified(updated)),
        { concurrency: "unbounded" }
      )
      assertStatuses(answers, [200, 200, 200, 200, 200, 200])
      assert.deepStrictEqual(yield* audited, [`payment_provider active past_due ${updated}`])
      yield* sql`UPDATE businesses SET subscription_status = 'active' WHERE business_id = ${businessId}`
      record(yield* notified(updated))
      assert.strictEqual(yield* status, "active")
    })
  )

  it.effect("that arrives after a newer one does not bring an older status back", () =>
    Effect.gen(function* () {
      const { audited, emulator, server, status, subscription } = yield* subscriber
      for (const word of ["past_due", "active", "unpaid", "active"] as const)
        yield* emulator.setStatus(subscription.id, word)
      for (const event of emulator.events().toReversed()) {
        const { body, headers } = yield* emulator.notice(event)
        const answer = yield* server.send("POST", stripePath, { text: body, headers })
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(yield* status, "active")
      }
      assert.deepStrictEqual(yield* audited, [])
    })
  )

  it.effect("stores the later status if the subscription changes while it is handled", () =>
    Effect.gen(function* () {
      const { emulator, status, subscription, withProvider } = yield* subscriber
      const provider = yield* withProvider(PaymentProvider)
      let reads = 0
      const server = yield* openServer().pipe(
        Effect.provideService(PaymentProvider, {
          ...provider,
          subscription: (id) =>
            Effect.tap(provider.subscription(id), () =>
              reads++ === 0 ? emulator.setStatus(id, "past_due") : Effect.void
            )
        })
      )
      yield* emulator.setStatus(subscription.id, "trialing")
      record(yield* notify(server, emulator, updated))
      assert.strictEqual(yield* status, "past_due")
    })
  )

  it.effect("has no effect with a wrong signature, for another subscription and for other businesses", () =>
    Effect.gen(function* () {
      const { audited, emulator, notified, server, status, subscription } = yield* subscriber
      const other = yield* subscriber
      yield* emulator.setStatus(subscription.id, "past_due")
      const altered = yield* notify(server, emulator, updated, (body, signature) => [
        body.replace("past_due", "canceled"),
        signature
      ])
      refusedAs(altered, 400, "invalid_request")
      const foreign = yield* emulator.subscribe("usd", [{ unitAmount: 1500, quantity: 0 }])
      yield* emulator.setStatus(foreign.id, "canceled")
      record(yield* notified(updated))
      assert.deepStrictEqual([yield* status, yield* audited], ["active", []])
      yield* emulator.setStatus(subscription.id, "unpaid")
      record(yield* notified(updated))
      assert.deepStrictEqual([yield* status, yield* other.status], ["past_due", "active"])
    })
  )

  it.effect(
    "is refused while the subscription cannot be read, and takes effect when the worker asks for it",
    () =>
      Effect.gen(function* () {
        const { emulator, notified, status, subscription, withProvider } = yield* subscriber
        yield* emulator.setStatus(subscription.id, "past_due")
        yield* emulator.fault({ operation: "subscriptions.retrieve", kind: "refusal", times: 1 })
        refusedAs(yield* notified(updated), 502, "payment_link_failed")
        assert.strictEqual(yield* status, "active")
        const { reconcile } = yield* ProviderNotices.pipe(Effect.provide(ProviderNotices.layer), withProvider)
        assert.isAbove(yield* withProvider(reconcile(DateTime.subtract(beginning, { days: 1 }))), 0)
        assert.strictEqual(yield* status, "past_due")
        record(yield* notified(updated))
        assert.strictEqual(yield* status, "past_due")
      })
  )
})
