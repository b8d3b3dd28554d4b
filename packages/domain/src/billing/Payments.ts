/** Recording payments and refunds (docs/api/invoices.md). */
import { Context, DateTime, Effect, identity, Layer, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { Conflict, InvalidInput, orNotFound, refuseIssues } from "../kernel/Errors.ts"
import { afterChange } from "../kernel/Faults.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import { CurrentRequestParts, oncePerRequest } from "../kernel/idempotency/CurrentRequestParts.ts"
import type { InvoiceId, PaymentId } from "../kernel/Ids.ts"
import type { Currency } from "../kernel/money/Currency.ts"
import * as Money from "../kernel/money/Money.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { isInFuture } from "../kernel/time/ClockTolerance.ts"
import { instantOf } from "../kernel/time/WallClock.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { dueMinorOf, type Invoice } from "./invoice/Invoice.ts"
import { InvoiceRepository } from "./invoice/InvoiceRepository.ts"
import { requireIssued } from "./invoice/InvoiceRules.ts"
import { InvoiceUnitOfWork } from "./invoice/InvoiceUnitOfWork.ts"
import { Ledger } from "./ledger/Ledger.ts"
import { balanceOf, isReceipt, refundableOf, refundEntriesOf, refundParts } from "./ledger/LedgerBalance.ts"
import {
  type Payment,
  type PaymentInput,
  paymentRecord,
  receivedPaymentRecord,
  type RefundInput,
  refundRecord
} from "./ledger/Payment.ts"
import { PaymentProvider } from "./provider/PaymentProvider.ts"
import { PaymentRefused } from "./provider/PaymentProviderErrors.ts"
import { PaymentRepository } from "./ledger/PaymentRepository.ts"
import { makeProviderRefunds, type RefundTerms } from "./provider/ProviderRefunds.ts"
import { RefundSettlement } from "./provider/RefundSettlement.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** The most that a refund may return, in minor units, and the words that end a sentence about it. */
interface AmountLimit {
  readonly minor: number
  readonly words: string
}

const refuseAmount = (
  issue: Pick<FieldIssue, "issue" | "accepted">,
  others: ReadonlyArray<FieldIssue>,
  advice?: string
) =>
  Effect.fail(
    new InvalidInput({
      issues: [{ field: "amount", ...issue }, ...others],
      ...(advice === undefined ? {} : { advice })
    })
  )

/**
 * An amount in minor units; `InvalidInput` if the currency has no such amount or it exceeds the limit, also with the other
 * issues.
 */
const minorOf = Effect.fnUntraced(function* (
  amount: number,
  currency: Currency,
  others: ReadonlyArray<FieldIssue>,
  limit?: AmountLimit
) {
  const minor = Option.getOrUndefined(Money.fromMajor(amount, currency))?.minor
  const refused = Money.issueOfRefused(amount, currency)
  const isBeyond = minor === undefined ? refused.issue === "out_of_range" : minor > (limit?.minor ?? minor)
  if (isBeyond && limit !== undefined) {
    const most = `${Money.format({ minor: limit.minor, currency })} ${currency}`
    return yield* refuseAmount({ issue: "out_of_range" }, others, `${most} ${limit.words}`)
  }
  if (minor === undefined) return yield* refuseAmount(refused, others)
  yield* refuseIssues(others)
  return minor
})

/** An issue if a request names another currency than the one that its amount is in. */
const currencyIssues = (sent: Currency | undefined, own: Currency): ReadonlyArray<FieldIssue> =>
  sent === undefined || sent === own ? [] : [{ field: "currency", issue: "invalid" }]

/** A request for a refund. `excessOnly`: at most the part of the payment that does not count towards the invoice. */
export interface RefundRequest extends RefundInput {
  readonly excessOnly?: boolean
}

/** `NotFound` if the invoice or the payment is absent or another business's. */
export class Payments extends Context.Service<Payments>()("@livery/domain/Payments", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const invoices = yield* InvoiceRepository
    const payments = yield* PaymentRepository
    const ledger = yield* Ledger
    const unitOfWork = yield* InvoiceUnitOfWork
    const provider = yield* PaymentProvider
    const refundOf = yield* makeProviderRefunds
    const settlement = yield* RefundSettlement

    const record = traced("Payments.record")(function* (
      acting: ActingBusiness,
      invoiceId: InvoiceId,
      input: PaymentInput
    ) {
      return yield* atomically(transaction, function* () {
        const invoice = yield* unitOfWork.lock(acting, invoiceId)
        const { currency, number, status } = invoice
        yield* requireIssued(invoice)
        if (status === "void")
          return yield* new Conflict({ reason: `Invoice ${number} is void, and takes no payments` })
        const now = yield* DateTime.now
        const received_at = input.received_at === null ? now : instantOf(input.received_at, acting.timezone)
        const amount_minor = yield* minorOf(input.amount, currency, [
          ...currencyIssues(input.currency, currency),
          ...(isInFuture(received_at, now) ? [{ field: "received_at", issue: "out_of_range" as const }] : [])
        ])
        const excess_minor = Math.max(0, amount_minor - dueMinorOf(invoice))
        const { method, reference } = input
        const entry = { amount_minor, method, received_at, reference, provider_id: null }
        return receivedPaymentRecord(
          yield* ledger.receive(acting, invoice, entry, excess_minor),
          excess_minor
        )
      })
    })

    /** A payment that can be refunded, with the ledger of its invoice. */
    const paymentOf = Effect.fnUntraced(function* (
      { business_id }: ActingBusiness,
      { invoice_id }: Invoice,
      paymentId: PaymentId
    ) {
      const entries = yield* payments.ofInvoice(business_id, invoice_id)
      const payment = yield* orNotFound("payment")(
        Option.fromUndefinedOr(entries.find(({ payment_id }) => payment_id === paymentId))
      )
      if (!isReceipt(payment))
        return yield* new Conflict({ reason: "A refund cannot be refunded; record a payment instead" })
      return { entries, payment }
    })

    /** The terms of the refund that a request asks for; with `excessOnly`, at most the part that does not count towards the invoice. */
    const amountOf = Effect.fnUntraced(function* (
      payment: Payment,
      entries: ReadonlyArray<Payment>,
      { amount, currency, excessOnly = false }: RefundRequest
    ): Effect.fn.Return<RefundTerms, InvalidInput | Conflict> {
      const left = refundableOf(payment, entries)
      const issues = currencyIssues(currency, payment.currency)
      if (amount === undefined) yield* refuseIssues(issues)
      const limit = { minor: left, words: "of the payment is left" }
      const wanted = amount === undefined ? left : yield* minorOf(amount, payment.currency, issues, limit)
      const amount_minor = excessOnly ? Math.min(wanted, balanceOf(payment, entries).excess) : wanted
      if (amount_minor === 0) return yield* new Conflict({ reason: "The payment was refunded in full" })
      return { amount_minor, left, earlier: refundEntriesOf(payment, entries).length }
    })

    const refundByHand = Effect.fnUntraced(function* (
      acting: ActingBusiness,
      invoiceId: InvoiceId,
      paymentId: PaymentId,
      input: RefundRequest
    ) {
      return yield* atomically(transaction, function* () {
        const invoice = yield* unitOfWork.lock(acting, invoiceId)
        const { entries, payment } = yield* paymentOf(acting, invoice, paymentId)
        const { amount_minor } = yield* amountOf(payment, entries, input)
        const received_at = yield* DateTime.now
        const { reference } = input
        const terms = {
          method: payment.method,
          received_at,
          reference,
          refund_of: paymentId,
          provider_id: null
        }
        const parts = refundParts(payment, entries, amount_minor).map((part) => ({ ...part, ...terms }))
        return Option.getOrThrow(refundRecord(yield* ledger.enter(acting, invoice, parts)))
      })
    })

    const refundAtProvider = Effect.fnUntraced(function* (
      payment: Payment,
      entries: ReadonlyArray<Payment>,
      intentId: string,
      input: RefundRequest
    ) {
      const request = yield* CurrentRequestParts
      const amounts = amountOf(payment, entries, input)
      // A repeated request may have used the amount up already; it is recognized at the provider.
      if (request === undefined) yield* amounts
      const refund = yield* refundOf(payment, entries, intentId, input.reference, amounts)
      const entered = yield* afterChange(
        Effect.flatMap(provider.intent(intentId), (intent) =>
          Option.isSome(intent)
            ? settlement.settleCurrent(payment, intent.value, refund, identity, payment.payment_id)
            : Effect.succeed([])
        )
      )
      const record = refundRecord(entered)
      if (Option.isSome(record)) return record.value
      return yield* new PaymentRefused({ code: "refund_failed", reason: "the refund failed" })
    })

    const refund = traced("Payments.refund")(function* (
      acting: ActingBusiness,
      invoiceId: InvoiceId,
      paymentId: PaymentId,
      input: RefundRequest
    ) {
      const invoice = yield* orNotFound("invoice")(yield* invoices.find(acting.business_id, invoiceId))
      const { entries, payment } = yield* paymentOf(acting, invoice, paymentId)
      return yield* payment.provider_id === null
        ? oncePerRequest(`refund ${paymentId}`, refundByHand(acting, invoiceId, paymentId, input))
        : refundAtProvider(payment, entries, payment.provider_id, input)
    })

    return {
      /** The entries of an invoice's ledger, the oldest first. */
      list: traced("Payments.list")(function* (
        { business_id }: ActingBusiness,
        invoiceId: InvoiceId,
        page: PageRequest
      ) {
        yield* orNotFound("invoice")(yield* invoices.find(business_id, invoiceId))
        return mapPage(yield* payments.list(business_id, invoiceId, page), (entry) =>
          paymentRecord(entry, undefined)
        )
      }),

      /**
       * Records a payment and sends `payment.succeeded`. What exceeds the amount due does not count towards the invoice: it is
       * the credit of the customer (`CustomerCredits`), or is refunded. `InvalidInput` for a time in the future and for another
       * currency than the invoice's; `Conflict` for a void invoice.
       */
      record,

      /**
       * Returns a payment, in full or in part: a card payment at the provider, and any other by hand, which the ledger
       * records. With `excessOnly`, at most the part that does not count towards the invoice, so that a repeated
       * request never returns the other part. The result has all entries of the refund. `InvalidInput` for more than
       * the rest of the payment and for another currency than the payment's; `Conflict` if there is no rest;
       * `PaymentRefused` and `PaymentProviderUnavailable` as the provider answers.
       */
      refund
    }
  })
}) {
  static readonly layer = Layer.effect(Payments, Payments.make).pipe(
    Layer.provide(Layer.merge(Ledger.layer, RefundSettlement.layer))
  )
}
