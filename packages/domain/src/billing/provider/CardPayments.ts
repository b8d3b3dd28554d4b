/** Paying an invoice by card (docs/api/invoices.md). */
import { Context, DateTime, Duration, Effect, Layer, Option, Redacted } from "effect"
import { isSuspended } from "../../business/Business.ts"
import { BusinessRepository } from "../../business/BusinessRepository.ts"
import { InvalidInput, invalidField, orNotFound } from "../../kernel/Errors.ts"
import { fromMajor, issueOfRefused, toMajor } from "../../kernel/money/Money.ts"
import { makeBusinessTokens } from "../../business/BusinessTokens.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { CardForm } from "./CardForm.ts"
import type { CardIntent } from "./CardIntent.ts"
import { CardIntentRepository } from "./CardIntentRepository.ts"
import { dueMinorOf, type Invoice } from "../invoice/Invoice.ts"
import { makeFirstView } from "../invoice/FirstView.ts"
import { InvoiceFactsRepository } from "../invoice/InvoiceFactsRepository.ts"
import { InvoiceRepository } from "../invoice/InvoiceRepository.ts"
import { PaymentProvider } from "./PaymentProvider.ts"
import { PaymentProviderUnavailable } from "./PaymentProviderErrors.ts"
import { isFinalIntent, type PaidInvoice, type ProviderIntent } from "./PaymentProviderRecords.ts"
import { InvoiceUnitOfWork } from "../invoice/InvoiceUnitOfWork.ts"
import { publicInvoiceRecord } from "../invoice/PublicInvoice.ts"
import { Settlement } from "./Settlement.ts"
import { traced } from "../../kernel/TracedFunction.ts"
import { NothingOutstanding } from "./CardPayment.ts"

/** The most times that a request reads an invoice's intents, if they change each time. Then it fails. */
const maxAttempts = 5

/** How long a request for a card payment may take, with all of its calls of the provider. */
const payTimeout = Duration.seconds(10)

/**
 * No transaction is open while the provider is called.
 *
 * `NotFound` for a hash that no invoice has, whose invoice is deleted, or whose business is suspended. Payments to a
 * suspended business that the provider reports are still entered.
 */
export class CardPayments extends Context.Service<CardPayments>()("@livery/domain/CardPayments", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const businesses = yield* BusinessRepository
    const invoices = yield* InvoiceRepository
    const intents = yield* CardIntentRepository
    const provider = yield* PaymentProvider
    const settlement = yield* Settlement
    const { businessOfToken } = yield* makeBusinessTokens
    const facts = yield* InvoiceFactsRepository
    const card = yield* CardForm
    const firstView = yield* makeFirstView

    const byHash = Effect.fnUntraced(function* (hash: string) {
      const businessId = yield* orNotFound("invoice")(yield* businessOfToken("invoice", hash))
      const invoice = yield* orNotFound("invoice")(yield* invoices.findByHash(businessId, hash))
      const business = yield* orNotFound("invoice")(
        Option.filter(yield* businesses.find(businessId), (business) => !isSuspended(business))
      )
      return { business, invoice }
    })

    const view = traced("CardPayments.invoice")(function* (hash: string) {
      const { business, invoice } = yield* byHash(hash)
      const now = yield* DateTime.now
      const viewed = yield* firstView(business, invoice)
      const { seller } = yield* facts.of(viewed)
      const brand = yield* orNotFound("invoice")(yield* businesses.brand(invoice.business_id))
      return publicInvoiceRecord(viewed, business, now, {
        brand,
        seller,
        card: card ?? null,
        part_payments_allowed: yield* facts.allowsPartPayments(invoice.business_id)
      })
    })

    /** Enters the payment or the end of an intent, if it has either, and returns the intent. */
    const enterIntent = Effect.fnUntraced(function* (paid: PaidInvoice, intent: ProviderIntent) {
      yield* settlement.settle(paid, intent)
      return intent
    })

    /**
     * Cancels an intent whose amount is no longer due; if it was paid meanwhile, its payment is entered. If the
     * provider refuses and the customer can still pay the intent, the request fails: with two open intents, the
     * customer could pay twice.
     */
    const cancelOutdated = (stored: CardIntent) =>
      provider.cancelIntent(stored.intent_id).pipe(
        Effect.catchTag("PaymentRefused", (refusal) =>
          Effect.flatMap(
            provider.intent(stored.intent_id),
            Option.match({
              onNone: () => Effect.fail(refusal),
              onSome: (current) => (isFinalIntent(current) ? Effect.succeed(current) : Effect.fail(refusal))
            })
          )
        ),
        Effect.flatMap((intent) => enterIntent(stored, intent))
      )

    /**
     * Stores an intent unless the invoice has another open one, with which the customer could pay a second time. Returns
     * whether it is stored.
     */
    const addUnlessOpen = ({ amount_minor, business_id, intent_id, invoice_id }: CardIntent) =>
      atomically(transaction, function* () {
        yield* invoices.lockEvenDeleted(business_id, invoice_id)
        const open = yield* intents.open(business_id, invoice_id)
        if (open.some((other) => other.intent_id !== intent_id)) return false
        yield* intents.add({ amount_minor, business_id, intent_id, invoice_id }, yield* DateTime.now)
        return true
      })

    /**
     * Creates an intent. `None` if the provider spent the attempt, or if a concurrent request has stored another intent,
     * so that the invoice must be read again: the customer gets the secret of one intent only.
     */
    const newIntent = Effect.fnUntraced(function* (invoice: Invoice, due: number) {
      const { business_id, currency, invoice_id, number } = invoice
      const spent = yield* intents.spentAttempts(business_id, invoice_id, "intent")
      const created = yield* provider
        .createIntent({
          invoice: { business_id, invoice_id },
          due: { minor: due, currency },
          attempt: spent + (yield* intents.ended(business_id, invoice_id, due)),
          description: `Invoice ${number}`
        })
        .pipe(
          Effect.asSome,
          Effect.catchTag("AttemptSpent", () =>
            Effect.as(
              intents.spendAttempt(business_id, invoice_id, "intent", spent),
              Option.none<ProviderIntent>()
            )
          )
        )
      if (Option.isNone(created)) return created
      const { intent_id } = created.value
      if (yield* addUnlessOpen({ business_id, invoice_id, intent_id, amount_minor: due }))
        return Option.some(yield* enterIntent(invoice, created.value))
      yield* provider.cancelIntent(intent_id)
      return Option.none()
    })

    /** The amount to pay: all that is due, or the wanted part of it. */
    const amountOf = Effect.fnUntraced(function* (invoice: Invoice, wanted: number | null) {
      const { currency, number } = invoice
      const due = dueMinorOf(invoice)
      if (due === 0) return yield* new NothingOutstanding({ reason: `Nothing is due on invoice ${number}` })
      if (wanted === null) return due
      const minor = Option.getOrUndefined(fromMajor(wanted, currency))?.minor
      if (minor === undefined) return yield* invalidField("amount", issueOfRefused(wanted, currency).issue)
      if (minor > due) return yield* invalidField("amount", "out_of_range")
      if (minor < due && !(yield* facts.allowsPartPayments(invoice.business_id)))
        return yield* new InvalidInput({
          issues: [{ field: "amount", issue: "out_of_range" }],
          advice: "This business takes no part payments by card"
        })
      return minor
    })

    /**
     * The intent with which the customer can pay the amount due, or a part of it; `None` if the invoice was paid meanwhile
     * and must be read again.
     */
    const payableIntent = Effect.fnUntraced(function* (hash: string, wanted: number | null) {
      const { invoice } = yield* byHash(hash)
      const { business_id, currency, invoice_id } = invoice
      const due = yield* amountOf(invoice, wanted)
      const open = yield* intents.open(business_id, invoice_id)
      const outdated = open.filter(({ amount_minor }) => amount_minor !== due)
      const ended = yield* Effect.forEach(outdated, cancelOutdated)
      if (ended.some(({ status }) => status === "succeeded")) return Option.none()
      const current = open.find(({ amount_minor }) => amount_minor === due)
      const known = current === undefined ? Option.none() : yield* provider.intent(current.intent_id)
      // The provider does not know it, for example because the account was changed.
      if (current !== undefined && Option.isNone(known))
        yield* intents.end(business_id, current.intent_id, yield* DateTime.now)
      const intent = Option.isSome(known)
        ? yield* enterIntent(invoice, known.value)
        : Option.getOrUndefined(yield* newIntent(invoice, due))
      if (intent === undefined || isFinalIntent(intent)) return Option.none()
      if (intent.client_secret === null)
        return yield* new PaymentProviderUnavailable({ reason: "it did not return the payment's secret" })
      return Option.some({
        client_secret: Redacted.value(intent.client_secret),
        amount: toMajor({ minor: due, currency }),
        currency
      })
    })

    const firstPayable = Effect.fnUntraced(function* (hash: string, wanted: number | null) {
      for (let round = 0; round < maxAttempts; round++) {
        const payment = yield* payableIntent(hash, wanted)
        if (Option.isSome(payment)) return payment.value
      }
      return yield* new PaymentProviderUnavailable({
        reason: "it failed several times, or the invoice is being paid; try again"
      })
    })

    return {
      /** The public view of an invoice. The first view sets `viewed_at` and seals the invoice. */
      invoice: view,

      /**
       * The secret of an intent for the amount due, or for a part of it, in major units, within 10 seconds. A repeated call
       * returns the same intent while its amount is unchanged; earlier intents of other amounts are cancelled, so that an
       * invoice has one open intent and its customer never pays more than is due. `NothingOutstanding` if nothing is due,
       * `InvalidInput` for more than is due, or for a part if the business allows none, `PaymentRefused` and
       * `PaymentProviderUnavailable` as the provider answers.
       */
      pay: traced("CardPayments.pay")((hash: string, amount: number | null = null) =>
        Effect.timeoutOrElse(firstPayable(hash, amount), {
          duration: payTimeout,
          orElse: () => Effect.fail(new PaymentProviderUnavailable({ reason: "it did not answer in time" }))
        })
      )
    }
  })
}) {
  static readonly layer = Layer.effect(CardPayments, CardPayments.make).pipe(
    Layer.provide(Layer.merge(Settlement.layer, InvoiceUnitOfWork.layer))
  )
}
