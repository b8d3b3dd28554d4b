/** The domain's `PaymentProvider` over Stripe. */
import {
  AttemptSpent,
  Money,
  type NewIntent,
  type NewRefund,
  PaymentNoticeRefused,
  PaymentProvider,
  PaymentProviderUnavailable,
  PaymentRefused,
  type ProviderIntent,
  type ProviderPage,
  type ProviderPageRequest
} from "@livery/domain"
import { Clock, type Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import type { Stripe } from "stripe"
import { remainderOf, stepOf, toApiAmount } from "./StripeAmounts.ts"
import { makeStripeCalls, type StripeCall, type StripeCallOptions } from "./StripeCalls.ts"
import { orNone, withDomainErrors } from "./StripeFailures.ts"
import { verifiedEvent } from "./StripeNotices.ts"
import {
  intentMetadata,
  type ListedPage,
  makeRecordReaders,
  readList,
  refundMetadata
} from "./StripeRecords.ts"
import { stripeSubscriptions } from "./StripeSubscriptions.ts"
import { readStripeAddress, type StripeSettingRefused, type StripeSettings } from "./StripeSettings.ts"

/** The options of {@link layer}. */
export interface StripePaymentsOptions
  extends StripeSettings, Omit<StripeCallOptions, "address" | "secretKey"> {
  /**
   * The name of this installation, the same on all of its nodes and of no other on the same Stripe account; up to 60
   * characters. Identifiers of businesses and invoices are unique only together with it.
   */
  readonly installation: string
}

type Provider = Context.Service.Shape<typeof PaymentProvider>

const notConfigured = (setting: string) =>
  new PaymentProviderUnavailable({ reason: `it is not configured (${setting} is not set)` })

const notChargeable = (reason: string) =>
  Effect.fail(
    new PaymentRefused({ code: "amount_not_chargeable", reason: `${reason} (amount_not_chargeable)` })
  )

/** The amount in the API's unit; `advice` ends the error about an amount between two steps. */
const chargeable = (amount: NewIntent["due"], advice: string) => {
  const apiAmount = toApiAmount(amount)
  if (remainderOf(amount) !== 0)
    return notChargeable(
      `it charges ${amount.currency} in steps of ${stepOf(amount.currency)}, and the amount is between two of them: ${advice}`
    )
  return apiAmount === undefined || apiAmount <= 0
    ? notChargeable("it does not charge that amount in that currency")
    : Effect.succeed(apiAmount)
}

/** How many pages of the latest intents are searched for one that was made before a failure. */
const searchedPages = 3

const paymentsOver = (call: StripeCall, installation: string): Omit<Provider, "readNotice"> => {
  const { hasKey, readIntent, readNotice, readRefund } = makeRecordReaders(installation)

  const currentIntent = (intentId: string) =>
    call((stripe) => stripe.paymentIntents.retrieve(intentId), readIntent)

  /** The intent that was made under an idempotency key, among the latest {@link searchedPages} pages. */
  const intentMadeUnder = Effect.fnUntraced(function* (key: string) {
    let after: string | null = null
    for (let page = 0; page < searchedPages; page++) {
      const cursor: Stripe.PaymentIntentListParams = after === null ? {} : { starting_after: after }
      const listed: { readonly value: ListedPage } = yield* call(
        (stripe) => stripe.paymentIntents.list({ limit: 100, ...cursor }),
        readList
      )
      const made = listed.value.items.find((item) => hasKey(item, key))
      if (made !== undefined) return readIntent(made)
      after = listed.value.next
      if (after === null) break
    }
    return Option.none<ProviderIntent>()
  })

  const createIntent = Effect.fn("PaymentProvider.createIntent")(function* (request: NewIntent) {
    const remainder = Money.toMajor({ ...request.due, minor: remainderOf(request.due) })
    const amount = yield* chargeable(
      request.due,
      `the business records ${remainder} as another payment or changes the prices`
    )
    const { business_id, invoice_id } = request.invoice
    const { currency, minor } = request.due
    const key = `${installation}/intent/${business_id}/${invoice_id}/${minor}${currency}/${request.attempt}`
    return yield* call(
      (stripe) =>
        stripe.paymentIntents.create(
          {
            amount,
            currency: currency.toLowerCase(),
            description: request.description,
            metadata: intentMetadata(installation, request.invoice, key),
            allowed_payment_method_types: ["card"]
          },
          { idempotencyKey: key }
        ),
      readIntent
    ).pipe(
      Effect.filterOrElse(
        ({ replayed }) => !replayed,
        ({ value }) => currentIntent(value.intent_id)
      ),
      Effect.map(({ value }): ProviderIntent => value),
      // Stripe saves its own failure under the key for a day. It may have made the intent before it failed.
      Effect.catchIf(
        ({ kept }) => kept,
        () =>
          Effect.flatMap(
            intentMadeUnder(key),
            Option.match({
              onNone: () => Effect.fail(new AttemptSpent()),
              onSome: (intent) => Effect.succeed(intent)
            })
          )
      ),
      Effect.catchTag("StripeCallFailed", (failure) => Effect.fail(failure.meaning))
    )
  })

  const cancelIntent = Effect.fn("PaymentProvider.cancelIntent")((intentId: string) =>
    call((stripe) => stripe.paymentIntents.cancel(intentId), readIntent).pipe(
      Effect.map(({ value }) => value),
      // A lost answer to the first request makes the second one fail, although the intent is canceled.
      Effect.catchIf(
        ({ meaning }) => meaning._tag === "PaymentRefused",
        (refusal) =>
          Effect.flatMap(currentIntent(intentId), ({ value }) =>
            value.status === "canceled" ? Effect.succeed(value) : Effect.fail(refusal)
          )
      ),
      withDomainErrors
    )
  )

  const refundsFor = (intentId: string) =>
    call(
      (stripe) => stripe.refunds.list({ payment_intent: intentId, limit: 100 }),
      (answer) =>
        Option.flatMap(readList(answer), ({ items }) => Option.all(items.map((item) => readRefund(item))))
    )

  const refund = Effect.fn("PaymentProvider.refund")(function* (request: NewRefund) {
    const amount = yield* chargeable(request.amount, "refund another amount")
    return yield* call(
      (stripe) =>
        stripe.refunds.create(
          {
            amount,
            payment_intent: request.intent_id,
            metadata: refundMetadata(installation, request.key)
          },
          { idempotencyKey: `${installation}/refund/${request.key}` }
        ),
      readRefund
    ).pipe(
      Effect.flatMap(({ replayed, value }) =>
        replayed
          ? call((stripe) => stripe.refunds.retrieve(value.refund_id), readRefund)
          : Effect.succeed({ value })
      ),
      Effect.map(({ value }) => value),
      // Stripe saves its own failure under the key for a day. It may have made the refund before it failed.
      Effect.catchIf(
        ({ kept }) => kept,
        () =>
          Effect.flatMap(refundsFor(request.intent_id), ({ value }) => {
            const made = value.find(({ key }) => key === request.key)
            return made === undefined ? Effect.fail(new AttemptSpent()) : Effect.succeed(made)
          })
      ),
      Effect.catchTag("StripeCallFailed", (failure) => Effect.fail(failure.meaning))
    )
  })

  const page = <A>(
    list: (stripe: Stripe, parameters: Stripe.PaymentIntentListParams) => Promise<object>,
    request: ProviderPageRequest,
    read: (item: unknown) => Option.Option<A>
  ): Effect.Effect<ProviderPage<A>, PaymentRefused | PaymentProviderUnavailable> =>
    call((stripe) => {
      const created = { gte: Math.floor(DateTime.toEpochMillis(request.since) / 1000) }
      return list(stripe, {
        created,
        limit: 100,
        ...(request.after === null ? {} : { starting_after: request.after })
      })
    }, readList).pipe(
      Effect.map(({ value }) => ({
        items: value.items.flatMap((item) => Option.toArray(read(item))),
        next: value.next
      })),
      withDomainErrors
    )

  return {
    configured: Effect.void,
    createIntent,
    cancelIntent,
    refund,
    ...stripeSubscriptions(call, installation),
    intent: Effect.fn("PaymentProvider.intent")((intentId) => orNone(currentIntent(intentId))),
    refundsOf: Effect.fn("PaymentProvider.refundsOf")((intentId) =>
      withDomainErrors(Effect.map(refundsFor(intentId), ({ value }) => value))
    ),
    notices: Effect.fn("PaymentProvider.notices")((request) =>
      page((stripe, parameters) => stripe.events.list(parameters), request, readNotice)
    ),
    intents: Effect.fn("PaymentProvider.intents")((request) =>
      page((stripe, parameters) => stripe.paymentIntents.list(parameters), request, readIntent)
    )
  }
}

const unconfigured = (): Omit<Provider, "readNotice"> => {
  const refuse = () => Effect.fail(notConfigured("STRIPE_SECRET_KEY"))
  return {
    configured: refuse(),
    createIntent: refuse,
    cancelIntent: refuse,
    refund: refuse,
    changeQuantity: refuse,
    intent: refuse,
    refundsOf: refuse,
    subscription: refuse,
    notices: refuse,
    intents: refuse
  }
}

/**
 * Without a secret key, every method fails with `PaymentProviderUnavailable`; without a webhook secret, `readNotice`
 * does. Nothing is sent to Stripe before the first call.
 */
export const layer = (options: StripePaymentsOptions): Layer.Layer<PaymentProvider, StripeSettingRefused> =>
  Layer.effect(
    PaymentProvider,
    Effect.gen(function* () {
      const address = yield* readStripeAddress(options)
      const { installation, secretKey, webhookSecret } = options
      const { readNotice } = makeRecordReaders(installation)
      const methods =
        secretKey === undefined
          ? unconfigured()
          : paymentsOver(yield* makeStripeCalls({ ...options, address, secretKey }), installation)

      return PaymentProvider.of({
        ...methods,
        readNotice: Effect.fn("PaymentProvider.readNotice")(function* (body, signature) {
          if (webhookSecret === undefined) return yield* notConfigured("STRIPE_WEBHOOK_SECRET")
          const now = yield* Clock.currentTimeMillis
          const event = yield* verifiedEvent(body, signature, Redacted.value(webhookSecret), now)
          const notice = readNotice(event)
          if (Option.isNone(notice))
            return yield* new PaymentNoticeRefused({ reason: "it is signed, but its content cannot be read" })
          return notice.value
        })
      })
    })
  )
