/** Payment intents: one for each attempt to pay an invoice by card. */
import { AttemptSpent, Money, type NewIntent, type ProviderIntent, traced } from "@livery/domain"
import { Effect, Option } from "effect"
import type { Stripe } from "stripe"
import { chargeable } from "./ChargeableAmounts.ts"
import { remainderOf } from "./StripeAmounts.ts"
import type { StripeCall } from "./StripeCalls.ts"
import { orNone, withDomainErrors } from "./StripeFailures.ts"
import { intentMetadata, type ListedPage, readList, type RecordReaders } from "./StripeRecords.ts"

/** How many pages of the latest intents are searched for one that was made before a failure. */
const searchedPages = 3

/** The intent that was made under an idempotency key, among the latest {@link searchedPages} pages. */
const intentMadeUnder = Effect.fnUntraced(function* (
  call: StripeCall,
  { hasKey, readIntent }: RecordReaders,
  key: string
) {
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

/** The methods of `PaymentProvider` about single intents. */
export const stripeIntents = (call: StripeCall, installation: string, readers: RecordReaders) => {
  const { readIntent } = readers

  const currentIntent = (intentId: string) =>
    call((stripe) => stripe.paymentIntents.retrieve(intentId, { expand: ["latest_charge"] }), readIntent)

  /** Creates the intent. Fails with `kept` if Stripe repeats a failure that it saved under the key. */
  const create = (request: NewIntent, amount: number, key: string) =>
    call(
      (stripe) =>
        stripe.paymentIntents.create(
          {
            amount,
            currency: request.due.currency.toLowerCase(),
            description: request.description,
            metadata: intentMetadata(installation, request.invoice, key),
            allowed_payment_method_types: ["card"]
          },
          { idempotencyKey: key }
        ),
      readIntent
    )

  const createIntent = traced("PaymentProvider.createIntent")(function* (request: NewIntent) {
    const remainder = Money.toMajor({ ...request.due, minor: remainderOf(request.due) })
    const amount = yield* chargeable(
      request.due,
      `the business records ${remainder} as another payment or changes the prices`
    )
    const { business_id, invoice_id } = request.invoice
    const { currency, minor } = request.due
    const key = `${installation}/intent/${business_id}/${invoice_id}/${minor}${currency}/${request.attempt}`
    return yield* create(request, amount, key).pipe(
      // A repeated answer shows the intent as it was when it was created.
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
            intentMadeUnder(call, readers, key),
            Option.match({
              onNone: () => Effect.fail(new AttemptSpent()),
              onSome: (intent) => Effect.succeed(intent)
            })
          )
      ),
      Effect.catchTag("StripeCallFailed", (failure) => Effect.fail(failure.meaning))
    )
  })

  const cancelIntent = traced("PaymentProvider.cancelIntent")((intentId: string) =>
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

  const intent = traced("PaymentProvider.intent")((intentId: string) => orNone(currentIntent(intentId)))

  return { cancelIntent, createIntent, intent }
}
