/** Recording money that pays several invoices at once (docs/api/payments.md). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { orNotFound, refuseIssues } from "../kernel/Errors.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import type { InvoiceId, RemittanceId } from "../kernel/Ids.ts"
import type { Currency } from "../kernel/money/Currency.ts"
import * as Money from "../kernel/money/Money.ts"
import type { PageRequest } from "../kernel/Page.ts"
import { isInFuture } from "../kernel/time/ClockTolerance.ts"
import { startOfDay } from "../kernel/time/WallClock.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { makeLockCustomer } from "../trips/trip/CustomerReference.ts"
import { dueMinorOf, type Invoice } from "./invoice/Invoice.ts"
import { InvoiceUnitOfWork } from "./invoice/InvoiceUnitOfWork.ts"
import { Ledger } from "./ledger/Ledger.ts"
import type { Payment } from "./ledger/Payment.ts"
import { type RemittanceInput, remittanceRecord } from "./ledger/Remittance.ts"
import { RemittanceRepository } from "./ledger/RemittanceRepository.ts"

/** A part of a remittance for a locked invoice, in minor units. */
interface Part {
  readonly invoice: Invoice
  readonly amount_minor: number
}

/** What is wrong with an allocation to an invoice, if anything; `undefined` for an invoice that is absent. */
const allocationIssue = (
  invoice: Invoice | undefined,
  { currency, customer_id }: { readonly currency: Currency; readonly customer_id: number | null },
  isRepeated: boolean
): FieldIssue["issue"] | undefined => {
  if (invoice === undefined) return "not_found"
  const isOfOther = customer_id !== null && invoice.customer_id !== customer_id
  return isRepeated || isOfOther || invoice.currency !== currency || invoice.status === "void"
    ? "invalid"
    : undefined
}

export class Remittances extends Context.Service<Remittances>()("@livery/domain/Remittances", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const remittances = yield* RemittanceRepository
    const lockCustomer = yield* makeLockCustomer
    const ledger = yield* Ledger
    const unitOfWork = yield* InvoiceUnitOfWork

    /** The parts of a remittance in minor units, and the rest. `InvalidInput` names each wrong field. */
    const partsOf = Effect.fnUntraced(function* (
      { allocations, amount, customer_id }: RemittanceInput,
      currency: Currency,
      locked: ReadonlyMap<InvoiceId, Invoice>,
      others: ReadonlyArray<FieldIssue>
    ) {
      const issues = [...others]
      const minorOf = (major: number, field: string) => {
        const money = Money.fromMajor(major, currency)
        if (Option.isNone(money)) issues.push({ field, ...Money.issueOfRefused(major, currency) })
        return Option.map(money, ({ minor }) => minor)
      }
      const total = minorOf(amount, "amount")
      const parts: Array<Part> = []
      for (const [index, allocation] of allocations.entries()) {
        const invoice = locked.get(allocation.invoice_id)
        const isRepeated =
          allocations.findIndex(({ invoice_id }) => invoice_id === allocation.invoice_id) < index
        const issue = allocationIssue(invoice, { currency, customer_id }, isRepeated)
        if (issue !== undefined) issues.push({ field: `allocations.${index}.invoice_id`, issue })
        const minor = Option.getOrUndefined(minorOf(allocation.amount, `allocations.${index}.amount`))
        if (invoice === undefined || issue !== undefined || minor === undefined) continue
        if (minor > dueMinorOf(invoice))
          issues.push({ field: `allocations.${index}.amount`, issue: "out_of_range" })
        parts.push({ invoice, amount_minor: minor })
      }
      const rest =
        Option.getOrElse(total, () => 0) - parts.reduce((sum, { amount_minor }) => sum + amount_minor, 0)
      if (issues.length === 0 && rest < 0) issues.push({ field: "allocations", issue: "out_of_range" })
      yield* refuseIssues(
        issues,
        "Each allocation names an invoice of the remittance's currency and customer that is not void, and at most the amount due on it; together they are at most the amount of the remittance"
      )
      return { parts, rest }
    })

    const record = traced("Remittances.record")(function* (acting: ActingBusiness, input: RemittanceInput) {
      const { business_id, timezone } = acting
      return yield* atomically(transaction, function* () {
        const { issues } = yield* lockCustomer(acting, input.customer_id)
        const locked = yield* unitOfWork.lockAll(
          acting,
          input.allocations.map(({ invoice_id }) => invoice_id)
        )
        const [firstId] = input.allocations.map(({ invoice_id }) => invoice_id)
        const first = firstId === undefined ? undefined : locked.get(firstId)
        const currency = input.currency ?? first?.currency ?? acting.currency
        const now = yield* DateTime.now
        const received_at = input.received_on === null ? now : startOfDay(input.received_on, timezone)
        // The customer that the business does not have is one wrong field, not each of its invoices.
        const named = issues.length === 0 ? input : { ...input, customer_id: null }
        const { parts, rest } = yield* partsOf(named, currency, locked, [
          ...issues,
          ...(isInFuture(received_at, now) ? [{ field: "received_on", issue: "out_of_range" as const }] : [])
        ])
        const { method, reference } = input
        const entry = { currency, method, received_at, reference, refund_of: null, provider_id: null }
        const entries: Array<Payment> = []
        for (const [index, { amount_minor, invoice }] of parts.entries()) {
          const excess = { ...entry, kind: "excess" as const, amount_minor: rest }
          entries.push(
            ...(yield* ledger.enter(acting, invoice, [
              { ...entry, kind: "payment", amount_minor },
              ...(index === 0 && rest > 0 ? [excess] : [])
            ]))
          )
        }
        const amount_minor = entries.reduce((sum, paid) => sum + paid.amount_minor, 0)
        const remittance = { business_id, amount_minor, currency, method, received_at, reference }
        const ids = entries.map(({ payment_id }) => payment_id)
        return remittanceRecord(yield* remittances.insert(remittance, ids, now), entries)
      })
    })

    return {
      /**
       * Records money that was received at once and pays the invoices of its allocations, each with an entry of its ledger. The
       * rest is credit of the customer, held by the first invoice. `InvalidInput` for an invoice that is absent, void, in
       * another currency, or of another customer than the one named, and for more than is due.
       */
      record,

      get: traced("Remittances.get")(function* ({ business_id }: ActingBusiness, remittanceId: RemittanceId) {
        const remittance = yield* orNotFound("payment")(yield* remittances.find(business_id, remittanceId))
        const entries = yield* remittances.entriesOf(business_id, [remittanceId])
        return remittanceRecord(
          remittance,
          entries.map(({ entry }) => entry)
        )
      }),

      /** The remittances of a business, the newest first. */
      list: traced("Remittances.list")(function* ({ business_id }: ActingBusiness, page: PageRequest) {
        const records = yield* remittances.list(business_id, page)
        const ids = records.items.map(({ remittance_id }) => remittance_id)
        const entries = yield* remittances.entriesOf(business_id, ids)
        const items = records.items.map((remittance) =>
          remittanceRecord(
            remittance,
            entries.flatMap(({ entry, remittance_id }) =>
              remittance_id === remittance.remittance_id ? [entry] : []
            )
          )
        )
        return { ...records, items }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Remittances, Remittances.make).pipe(Layer.provide(Ledger.layer))
}
