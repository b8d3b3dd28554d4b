/** Open invoices of another system, which keep their numbers (docs/api/moving.md). */
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { makeBusinessTokens } from "../business/BusinessTokens.ts"
import { PlanRepository } from "../business/PlanRepository.ts"
import { refuseIssues } from "../kernel/Errors.ts"
import { check } from "../kernel/fields/FieldIssue.ts"
import { orNull } from "../kernel/fields/Optional.ts"
import * as Value from "../kernel/fields/Value.ts"
import { CustomerId } from "../kernel/Ids.ts"
import { instantOf, localDay } from "../kernel/time/WallClock.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { makeLockCustomer } from "../trips/trip/CustomerReference.ts"
import { linesOf } from "./invoice/InvoiceLine.ts"
import { type InvoiceNumbering, lastCountOf, numberPrefixOf } from "./invoice/InvoiceNumbering.ts"
import { InvoiceNumberingRepository } from "./invoice/InvoiceNumberingRepository.ts"
import { invoiceRecord } from "./invoice/Invoice.ts"
import { InvoiceRepository } from "./invoice/InvoiceRepository.ts"
import { invoiceEntry } from "./invoice/InvoiceTimeline.ts"
import { InvoiceUnitOfWork } from "./invoice/InvoiceUnitOfWork.ts"
import { unpaidInvoice } from "./invoice/NewInvoices.ts"
import { dueDateOf } from "./invoice/PaymentTerms.ts"
import { ReminderRepository } from "./reminders/ReminderRepository.ts"

/** A number that an invoice of another system may have. */
const KeptNumber = Schema.String.check(
  check<string>("invalid", (text) => /^[A-Z0-9][A-Z0-9._/-]*$/u.test(text)),
  check<string>("too_long", ({ length }) => length <= 40)
)

/** An open invoice of another system. `amount_due` is what is still to be paid, with tax. */
export const MovedInvoice = Schema.Struct({
  number: KeptNumber,
  customer_id: orNull(CustomerId),
  issued_on: orNull(Value.day.required),
  due_date: orNull(Value.day.required),
  amount_due: Value.amount.required,
  currency: orNull(Value.currency.required),
  description: orNull(Value.text(500).required),
  notes: orNull(Value.text(5000).required)
})
export type MovedInvoice = typeof MovedInvoice.Type

/** The parts of a number: the text before its last digits, and these. */
const partsOf = (number: string) => {
  const [, prefix = "", digits = ""] = /^(.*?)(\d{1,9})$/u.exec(number) ?? []
  return digits === "" ? undefined : { prefix, digits, count: Number(digits) }
}

/** The format by which the next number follows a number; undefined if no format does. */
const formatAfter = (number: string, issuedOn: string): string | undefined => {
  const parts = partsOf(number)
  if (parts === undefined || !/[A-Z._-]$/u.test(parts.prefix)) return undefined
  const { digits, prefix } = parts
  const format = `${prefix.replace(issuedOn.slice(0, 4), "{YYYY}")}{N:${digits.length}}`
  return format.length <= 24 && /^[A-Z0-9._{}:-]*$/u.test(format) ? format : undefined
}

/** The numbering after a number of another system was taken over. A business without a numbering of its own takes over the format. */
const numberingAfter = (
  numbering: InvoiceNumbering,
  number: string,
  issuedOn: string,
  mayTakeFormat: boolean
): InvoiceNumbering => {
  const parts = partsOf(number)
  const format = mayTakeFormat ? formatAfter(number, issuedOn) : undefined
  const next = format === undefined ? numbering : { ...numbering, format, counts: {} }
  const prefix = numberPrefixOf(next.format, issuedOn)
  if (parts === undefined || parts.prefix !== prefix) return numbering
  const restarts_each_year = format === undefined ? next.restarts_each_year : format.includes("{YYYY}")
  const counted = { ...next, restarts_each_year }
  return parts.count <= lastCountOf(counted, prefix)
    ? numbering
    : { ...counted, counts: { ...counted.counts, [prefix]: parts.count } }
}

export class MovedInvoices extends Context.Service<MovedInvoices>()("@livery/domain/MovedInvoices", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const plans = yield* PlanRepository
    const invoices = yield* InvoiceRepository
    const numberings = yield* InvoiceNumberingRepository
    const reminders = yield* ReminderRepository
    const unitOfWork = yield* InvoiceUnitOfWork
    const lockCustomer = yield* makeLockCustomer
    const { newToken } = yield* makeBusinessTokens

    return {
      /**
       * Stores an open invoice of another system under its number, without tax: the other books have it already. It does not count
       * against the plan. The next invoice of the business follows the highest number with the same beginning; a business that has
       * no invoice yet also takes over the format of the number.
       */
      create: traced("MovedInvoices.create")(function* (acting: ActingBusiness, input: MovedInvoice) {
        const { business_id, timezone } = acting
        const currency = input.currency ?? acting.currency
        return yield* atomically(transaction, function* () {
          yield* plans.lock(business_id)
          const now = yield* DateTime.now
          const issued_on = input.issued_on ?? localDay(now, timezone)
          const description = input.description ?? `Open amount of invoice ${input.number}`
          const item = { description, quantity: 1, unit_price: input.amount_due, tax_rate: 0, taxes: null }
          const { issues, lines } = linesOf([{ ...item, tax_included: null, trip_id: null }], currency)
          yield* refuseIssues([
            ...issues.map(({ issue }) => ({ field: "amount_due", issue })),
            ...(yield* lockCustomer(acting, input.customer_id)).issues,
            ...(issued_on > localDay(now, timezone)
              ? [{ field: "issued_on", issue: "out_of_range" as const }]
              : [])
          ])
          const { token } = yield* newToken("invoice", business_id)
          const termsDays = yield* reminders.termsDaysOf(business_id, input.customer_id)
          const raised = unpaidInvoice({
            business_id,
            customer_id: input.customer_id,
            currency,
            lines,
            issued_on,
            due_date: input.due_date ?? dueDateOf(issued_on, termsDays),
            service_from: null,
            service_to: null,
            buyer_reference: null,
            notes: input.notes,
            payment_hash: token,
            untaxed_as: "zero_rated",
            untaxed_reason: null
          })
          const before = yield* numberings.read(business_id, "invoice")
          const isFirst = Object.values(before.counts).every((count) => count === 0)
          const after = numberingAfter(before, input.number, issued_on, isFirst)
          if (after !== before) yield* numberings.save(business_id, "invoice", after)
          const at = issued_on < localDay(now, timezone) ? instantOf(`${issued_on}T12:00:00`, timezone) : now
          const stored = yield* invoices.insert(raised, at, input.number)
          yield* unitOfWork.record(acting, stored.invoice_id, [invoiceEntry("created")])
          const record = invoiceRecord(stored, { now, timezone })
          yield* unitOfWork.emit(acting, "invoice.created", record)
          return record
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(MovedInvoices, MovedInvoices.make).pipe(
    Layer.provide(InvoiceUnitOfWork.layer)
  )
}
