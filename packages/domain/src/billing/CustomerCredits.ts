/** Using the credit of customers (docs/api/payments.md). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { Conflict, InvalidInput, orNotFound } from "../kernel/Errors.ts"
import type { CustomerId, InvoiceId } from "../kernel/Ids.ts"
import type { Currency } from "../kernel/money/Currency.ts"
import * as Money from "../kernel/money/Money.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { TripReferences } from "../trips/trip/TripReferences.ts"
import { dueMinorOf, type Invoice, invoiceRecord } from "./invoice/Invoice.ts"
import { InvoiceRepository } from "./invoice/InvoiceRepository.ts"
import { InvoiceUnitOfWork } from "./invoice/InvoiceUnitOfWork.ts"
import {
  type CreditBalance,
  type CreditPart,
  creditPartsOf,
  type CreditUseInput,
  type CustomerCreditRecord
} from "./ledger/CustomerCredit.ts"
import { Ledger } from "./ledger/Ledger.ts"
import { PaymentRepository } from "./ledger/PaymentRepository.ts"

const sum = (parts: ReadonlyArray<CreditPart>) =>
  parts.reduce((total, { amount_minor }) => total + amount_minor, 0)

export class CustomerCredits extends Context.Service<CustomerCredits>()("@livery/domain/CustomerCredits", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const references = yield* TripReferences
    const invoices = yield* InvoiceRepository
    const payments = yield* PaymentRepository
    const ledger = yield* Ledger
    const unitOfWork = yield* InvoiceUnitOfWork

    const partsOf = (invoice: Invoice, currency: Currency) =>
      Effect.map(payments.ofInvoice(invoice.business_id, invoice.invoice_id), (entries) =>
        creditPartsOf(entries, currency)
      )

    /** The amount to use, in minor units: at most what is due and what there is. */
    const amountOf = Effect.fnUntraced(function* (
      { currency, number }: Invoice,
      { amount }: CreditUseInput,
      due: number,
      available: number
    ) {
      if (due === 0) return yield* new Conflict({ reason: `Nothing is due on invoice ${number}` })
      if (available === 0)
        return yield* new Conflict({
          reason: `The customer of invoice ${number} has no credit in ${currency}`
        })
      const most = Math.min(due, available)
      if (amount === undefined) return most
      const money = Money.fromMajor(amount, currency)
      if (Option.isSome(money) && money.value.minor <= most) return money.value.minor
      return yield* new InvalidInput({
        issues: [
          {
            field: "amount",
            issue: Option.isSome(money) ? "out_of_range" : Money.issueOfRefused(amount, currency).issue
          }
        ],
        advice: `${Money.format({ minor: due, currency })} ${currency} is due, and the credit is ${Money.format({ minor: available, currency })} ${currency}`
      })
    })

    return {
      /** The credit of a customer in each currency. `NotFound` if the customer is absent or another business's. */
      ofCustomer: traced("CustomerCredits.ofCustomer")(function* (
        { business_id }: ActingBusiness,
        customerId: CustomerId
      ) {
        yield* orNotFound("customer")(yield* references.lockCustomer(business_id, customerId))
        const credits = new Map<Currency, Array<CreditBalance["invoices"][number] & { minor: number }>>()
        for (const invoiceId of yield* invoices.withExcess(business_id, customerId)) {
          const invoice = Option.getOrUndefined(yield* invoices.find(business_id, invoiceId))
          if (invoice === undefined) continue
          const { currency, invoice_id, number } = invoice
          const minor = sum(yield* partsOf(invoice, currency))
          const amount = Money.toMajor({ minor, currency })
          if (minor > 0)
            credits.set(currency, [...(credits.get(currency) ?? []), { invoice_id, number, amount, minor }])
        }
        const balances = [...credits].map(([currency, parts]): CreditBalance => {
          const minor = parts.reduce((total, part) => total + part.minor, 0)
          return {
            currency,
            amount: Money.toMajor({ minor, currency }),
            invoices: parts.map(({ amount, invoice_id, number }) => ({ invoice_id, number, amount }))
          }
        })
        return { customer_id: customerId, balances } satisfies CustomerCreditRecord
      }),

      /**
       * Pays an invoice from the credit of its customer in its currency, the oldest invoice first, and returns the invoice.
       * `NotFound` if the invoice is absent or another business's; `Conflict` if it has no customer, nothing is due, or
       * there is no credit; `InvalidInput` for more than is due or than there is.
       */
      apply: traced("CustomerCredits.apply")(function* (
        acting: ActingBusiness,
        invoiceId: InvoiceId,
        input: CreditUseInput
      ) {
        const { business_id, timezone } = acting
        return yield* atomically(transaction, function* () {
          const { customer_id, number } = yield* orNotFound("invoice")(
            yield* invoices.find(business_id, invoiceId)
          )
          if (customer_id === null)
            return yield* new Conflict({
              reason: `Invoice ${number} has no customer, whose credit could pay it`
            })
          const sources = yield* invoices.withExcess(business_id, customer_id)
          const locked = yield* unitOfWork.lockAll(acting, [invoiceId, ...sources])
          const invoice = yield* orNotFound("invoice")(Option.fromUndefinedOr(locked.get(invoiceId)))
          const available: Array<CreditPart> = []
          for (const id of sources) {
            const source = locked.get(id)
            if (source?.customer_id === customer_id)
              available.push(...(yield* partsOf(source, invoice.currency)))
          }
          let left = yield* amountOf(invoice, input, dueMinorOf(invoice), sum(available))
          const received_at = yield* DateTime.now
          for (const { amount_minor, receipt } of available) {
            const used = Math.min(left, amount_minor)
            if (used === 0) break
            left -= used
            const { currency, payment_id } = receipt
            const entry = {
              amount_minor: used,
              currency,
              method: "other" as const,
              received_at,
              provider_id: null
            }
            const source = yield* unitOfWork.lock(acting, receipt.invoice_id)
            const [use] = yield* ledger.enter(acting, source, [
              { ...entry, kind: "credit_used", reference: invoice.number, refund_of: payment_id }
            ])
            yield* ledger.enter(acting, yield* unitOfWork.lock(acting, invoiceId), [
              { ...entry, kind: "from_credit", reference: source.number, refund_of: use?.payment_id ?? null }
            ])
          }
          const after = yield* unitOfWork.lock(acting, invoiceId)
          return invoiceRecord(after, { now: yield* DateTime.now, timezone })
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(CustomerCredits, CustomerCredits.make).pipe(
    Layer.provide(Ledger.layer)
  )
}
