/** The domain's `PaymentProvider` over Stripe. */
import {
  PaymentNoticeRefused,
  PaymentProvider,
  PaymentProviderUnavailable,
  type PaymentRefused,
  type ProviderPage,
  type ProviderPageRequest,
  traced
} from "@livery/domain"
import { Clock, type Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import type { Stripe } from "stripe"
import { makeStripeCalls, type StripeCall, type StripeCallOptions } from "./StripeCalls.ts"
import { withDomainErrors } from "./StripeFailures.ts"
import { stripeIntents } from "./StripeIntents.ts"
import { verifiedEvent } from "./StripeNotices.ts"
import { makeRecordReaders, readList, type RecordReaders } from "./StripeRecords.ts"
import { stripeRefunds } from "./StripeRefunds.ts"
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

/** The methods of `PaymentProvider` that list records, page by page. */
const stripeLists = (call: StripeCall, { readIntent, readNotice }: RecordReaders) => {
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
    notices: traced("PaymentProvider.notices")((request: ProviderPageRequest) =>
      page((stripe, parameters) => stripe.events.list(parameters), request, readNotice)
    ),
    intents: traced("PaymentProvider.intents")((request: ProviderPageRequest) =>
      page((stripe, parameters) => stripe.paymentIntents.list(parameters), request, readIntent)
    )
  }
}

const paymentsOver = (
  call: StripeCall,
  installation: string,
  readers: RecordReaders
): Omit<Provider, "readNotice"> => ({
  configured: Effect.void,
  ...stripeIntents(call, installation, readers),
  ...stripeRefunds(call, installation, readers),
  ...stripeSubscriptions(call, installation),
  ...stripeLists(call, readers)
})

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
      const readers = makeRecordReaders(installation)
      const methods =
        secretKey === undefined
          ? unconfigured()
          : paymentsOver(yield* makeStripeCalls({ ...options, address, secretKey }), installation, readers)

      return PaymentProvider.of({
        ...methods,
        readNotice: traced("PaymentProvider.readNotice")(function* (body, signature) {
          if (webhookSecret === undefined) return yield* notConfigured("STRIPE_WEBHOOK_SECRET")
          const now = yield* Clock.currentTimeMillis
          const event = yield* verifiedEvent(body, signature, Redacted.value(webhookSecret), now)
          const notice = readers.readNotice(event)
          if (Option.isNone(notice))
            return yield* new PaymentNoticeRefused({ reason: "it is signed, but its content cannot be read" })
          return notice.value
        })
      })
    })
  )
