import { PaymentProvider, type PaymentNotice } from "@livery/domain"
import { StripePayments } from "@livery/integrations"
import { assert, describe, it } from "@effect/vitest"
import type { NoticeOptions, StripeEmulator } from "@livery/stripe-emulator"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { Stripe } from "stripe"
import { currency, due, invoice, paid, payments } from "./Provider.ts"

/** The notice of the emulator's newest event of a type. */
const arriving = Effect.fnUntraced(function* (
  emulator: StripeEmulator,
  type: string,
  options?: NoticeOptions
) {
  const event = emulator.events().findLast((it) => it.type === type) ?? assert.fail(`no ${type}`)
  const { body, headers } = yield* emulator.notice(event, options)
  return [new TextEncoder().encode(body), headers["stripe-signature"]] as const
})

const now = () => Math.floor(Date.now() / 1000)

const epoch = DateTime.makeUnsafe(0)

describe("a notice", () => {
  it.live("names the changed intent and its state at that time", () =>
    Effect.gen(function* () {
      const { emulator, intent_id, provider } = yield* paid(12_950)
      const notice = yield* provider.readNotice(...(yield* arriving(emulator, "payment_intent.succeeded")))
      assert.strictEqual(notice.type, "payment_intent.succeeded")
      assert.strictEqual(notice.event_id, emulator.events().at(-1)?.id)
      if (notice.subject._tag !== "Intent") return assert.fail(notice.subject._tag)
      const { intent } = notice.subject
      assert.strictEqual(intent.intent_id, intent_id)
      assert.strictEqual(intent.status, "succeeded")
      assert.deepStrictEqual(intent.received, { minor: 12_950, currency: currency("USD") })
      assert.deepStrictEqual(intent.invoice, invoice)
    })
  )

  it.live(
    "describes a declined card, a refund and a subscription, and has only the type of anything else",
    () =>
      Effect.gen(function* () {
        const { emulator, provider } = yield* payments()
        const { intent_id } = yield* provider.createIntent(due(500))
        yield* emulator.pay(intent_id, "pm_card_visa_chargeDeclined")
        yield* emulator.pay(intent_id)
        yield* provider.refund({ intent_id, amount: { minor: 500, currency: currency("USD") }, key: "9" })
        yield* emulator.subscribe("usd", [{ unitAmount: 100, quantity: 1 }])
        const read = (type: string) =>
          Effect.flatMap(arriving(emulator, type), (arrived) => provider.readNotice(...arrived))
        const failed = (yield* read("payment_intent.payment_failed")).subject
        assert.strictEqual(failed._tag === "Intent" && failed.intent.failure, "Your card was declined.")
        const refunded = (yield* read("refund.created")).subject
        assert.strictEqual(refunded._tag === "Refund" && refunded.refund.key, "9")
        assert.strictEqual((yield* read("customer.subscription.created")).subject._tag, "Subscription")
        assert.strictEqual((yield* read("charge.succeeded")).subject._tag, "Other")
      })
  )

  const refusals: ReadonlyArray<readonly [string, () => NoticeOptions, string]> = [
    ["without a signature", () => ({ unsigned: true }), "it has no signature"],
    ["signed with another secret", () => ({ wrongSecret: true }), "its signature is wrong"],
    [
      "altered after it was signed",
      () => ({ alter: (body) => body.replace("12950", "1") }),
      "its signature is wrong"
    ],
    ["with a space more", () => ({ alter: (body) => `${body} ` }), "its signature is wrong"],
    ["signed 301 seconds ago", () => ({ signedAt: now() - 301 }), "its signature is older than five minutes"],
    ["signed far in the future", () => ({ signedAt: now() + 400 }), "its signature is from the future"]
  ]
  for (const [title, options, reason] of refusals)
    it.live(`${title} is refused`, () =>
      Effect.gen(function* () {
        const { emulator, provider } = yield* paid(12_950)
        const arrived = yield* arriving(emulator, "payment_intent.succeeded", options())
        const refusal = yield* Effect.flip(provider.readNotice(...arrived))
        assert.strictEqual(refusal._tag, "PaymentNoticeRefused")
        assert.strictEqual(refusal.message, `The payment notice was refused: ${reason}`)
      })
    )

  it.live("signed 299 seconds ago is taken", () =>
    Effect.gen(function* () {
      const { emulator, provider } = yield* paid(500)
      const late = { signedAt: now() - 299 }
      yield* provider.readNotice(...(yield* arriving(emulator, "payment_intent.succeeded", late)))
    })
  )

  it.live("that is signed, but no event, is refused", () =>
    Effect.gen(function* () {
      const { emulator, provider } = yield* payments()
      for (const [body, reason] of [
        ["not json", "it is signed, but it is not JSON"],
        ["{}", "it is signed, but its content cannot be read"]
      ] as const) {
        const signature = Stripe.webhooks.generateTestHeaderString({
          payload: body,
          secret: Redacted.value(emulator.webhookSecret)
        })
        const refusal = yield* Effect.flip(provider.readNotice(new TextEncoder().encode(body), signature))
        assert.include(refusal.message, reason)
      }
    })
  )

  const event = (object: object) => ({
    id: "evt_1",
    object: "event",
    created: now(),
    type: "payment_intent.succeeded",
    data: { object: { object: "payment_intent", id: "pi_1", ...object } }
  })
  const signed = (emulator: StripeEmulator, content: object) => {
    const payload = JSON.stringify(content)
    const secret = Redacted.value(emulator.webhookSecret)
    return [
      new TextEncoder().encode(payload),
      Stripe.webhooks.generateTestHeaderString({ payload, secret })
    ] as const
  }

  it.live("that is signed and is of a kind that is not known has only its type", () =>
    Effect.gen(function* () {
      const { emulator, provider } = yield* payments()
      const created = "2026-11-27T10:00:00.000Z"
      for (const content of [
        { id: "evt_2", object: "v2.core.event", type: "v1.billing.meter.no_meter_found", created },
        { id: "evt_3", object: "v3.event", type: "payment_intent.succeeded", data: null },
        event({ object: "something new" }),
        { ...event({}), type: "treasury.something_new" }
      ]) {
        const notice = yield* provider.readNotice(...signed(emulator, content))
        assert.deepStrictEqual(
          [notice.event_id, notice.type, notice.subject._tag],
          [content.id, content.type, "Other"]
        )
      }
    })
  )

  it.live("about a record that cannot be read is refused if the record is ours", () =>
    Effect.gen(function* () {
      const { emulator, provider } = yield* payments()
      const foreign: PaymentNotice = yield* provider.readNotice(
        ...signed(emulator, event({ currency: "doge", metadata: { shop: "another" } }))
      )
      assert.strictEqual(foreign.subject._tag, "Other")
      const ours = event({ currency: "doge", metadata: { livery_installation: "test" } })
      const refusal = yield* Effect.flip(provider.readNotice(...signed(emulator, ours)))
      assert.include(refusal.message, "its content cannot be read")
    })
  )

  it.live("of the past is found again, for reconciliation", () =>
    Effect.gen(function* () {
      const { emulator, provider } = yield* paid(500)
      const since = Effect.map(provider.intents({ since: epoch, after: null }), ({ items }) => items[0])
      const created = (yield* since)?.created_at ?? assert.fail("no intent")
      const { items, next } = yield* provider.notices({ since: created, after: null })
      assert.deepStrictEqual(
        items.map(({ event_id }) => event_id),
        emulator
          .events()
          .map(({ id }) => id)
          .toReversed()
      )
      assert.isNull(next)
    })
  )
})

describe("without a webhook secret", () => {
  it.live("no notice can be read, and all else works", () =>
    Effect.gen(function* () {
      const { provider } = yield* payments({ webhookSecret: undefined })
      yield* provider.createIntent(due(500))
      const failure = yield* Effect.flip(provider.readNotice(new Uint8Array(), "t=1,v1=x"))
      assert.strictEqual(failure._tag, "PaymentProviderUnavailable")
      assert.include(failure.message, "STRIPE_WEBHOOK_SECRET")
    })
  )
})

describe("without a secret key", () => {
  it.effect("every method says that the provider is not configured", () =>
    Effect.gen(function* () {
      const provider = yield* PaymentProvider
      const amount = { minor: 1, currency: currency("USD") }
      const calls = [
        Effect.asVoid(provider.createIntent(due(500))),
        Effect.asVoid(provider.intent("pi_1")),
        Effect.asVoid(provider.cancelIntent("pi_1")),
        Effect.asVoid(provider.refund({ intent_id: "pi_1", amount, key: "1" })),
        Effect.asVoid(provider.refundsOf("pi_1")),
        Effect.asVoid(provider.subscription("sub_1")),
        Effect.asVoid(provider.changeQuantity({ item_id: "si_1", quantity: 1, key: "1" })),
        Effect.asVoid(provider.notices({ since: epoch, after: null })),
        Effect.asVoid(provider.intents({ since: epoch, after: null }))
      ]
      for (const call of calls) {
        const failure = yield* Effect.flip(call)
        assert.strictEqual(failure._tag, "PaymentProviderUnavailable")
        assert.include(failure.message, "STRIPE_SECRET_KEY is not set")
      }
    }).pipe(
      Effect.provide(
        Layer.fresh(
          StripePayments.layer({
            secretKey: undefined,
            webhookSecret: undefined,
            apiBase: undefined,
            installation: "test"
          })
        )
      )
    )
  )
})
