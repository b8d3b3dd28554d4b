/** The platform's invoices to businesses, for super-admins. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { auditTrail } from "../audit/AuditTrail.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import { Conflict, type InvalidInput, type NotFound, orNotFound, refuseIssues } from "../kernel/Errors.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import { mapPage, type Page, type PageRequest } from "../kernel/Page.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { AdminBusinessRepository } from "./AdminBusinessRepository.ts"
import {
  newSaasInvoice,
  type SaasInvoice,
  type SaasInvoiceFilter,
  type SaasInvoiceInput,
  saasInvoiceRecord,
  type SaasInvoiceRecord,
  saasInvoiceSummary,
  type SaasInvoiceSummary,
  type SaasPaymentInput,
  withSaasPayment
} from "./SaasInvoice.ts"
import { SaasCouponRepository } from "./SaasCouponRepository.ts"
import { SaasInvoiceRepository } from "./SaasInvoiceRepository.ts"

/**
 * - `list`, `get`: the invoices, newest first, and one of them with its lines and payments; `NotFound` if there is none with
 *   that id.
 * - `record`: stores an invoice that was raised elsewhere, with its payments. `Conflict` if another one has the number;
 *   `InvalidInput` if its business or coupon is absent or its sums contradict each other.
 * - `pay`: adds a payment to a recorded invoice; the status follows. `InvalidInput` for more than is due, `Conflict` for a
 *   void invoice.
 * - `void`: voids a recorded invoice; `Conflict` if it has payments or is void.
 */
export class AdminSaasInvoices extends Context.Service<
  AdminSaasInvoices,
  {
    readonly list: (filter: SaasInvoiceFilter, page: PageRequest) => Effect.Effect<Page<SaasInvoiceSummary>>
    readonly get: (invoiceId: number) => Effect.Effect<SaasInvoiceRecord, NotFound>
    readonly pay: (
      invoiceId: number,
      input: SaasPaymentInput
    ) => Effect.Effect<SaasInvoiceRecord, NotFound | Conflict | InvalidInput>
    readonly void: (invoiceId: number) => Effect.Effect<SaasInvoiceRecord, NotFound | Conflict>
    readonly record: (input: SaasInvoiceInput) => Effect.Effect<SaasInvoiceRecord, Conflict | InvalidInput>
  }
>()("@livery/domain/AdminSaasInvoices") {
  static readonly layer = Layer.effect(
    AdminSaasInvoices,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const invoices = yield* SaasInvoiceRepository
      const businesses = yield* AdminBusinessRepository
      const coupons = yield* SaasCouponRepository
      const trail = yield* auditTrail

      const list = Effect.fn("AdminSaasInvoices.list")(function* (
        filter: SaasInvoiceFilter,
        page: PageRequest
      ) {
        return mapPage(yield* invoices.list(filter, page), saasInvoiceSummary)
      })

      const get = Effect.fn("AdminSaasInvoices.get")(function* (invoiceId: number) {
        return saasInvoiceRecord(yield* orNotFound("invoice")(yield* invoices.find(invoiceId)))
      })

      const unknown = Effect.fnUntraced(function* ({ business_id, coupon_id }: SaasInvoiceInput) {
        const issues: Array<FieldIssue> = []
        if (Option.isNone(yield* businesses.find(business_id)))
          issues.push({ field: "business_id", issue: "not_found" })
        if (coupon_id !== null && Option.isNone(yield* coupons.find(coupon_id)))
          issues.push({ field: "coupon_id", issue: "not_found" })
        return issues
      })

      const record = Effect.fn("AdminSaasInvoices.record")(function* (input: SaasInvoiceInput) {
        const { invoice, issues } = newSaasInvoice(input, yield* DateTime.now)
        return yield* transaction.run(
          Effect.gen(function* () {
            yield* refuseIssues([...(yield* unknown(input)), ...issues])
            const stored = yield* invoices.insert(invoice)
            if (Option.isNone(stored))
              return yield* new Conflict({ reason: "Another invoice has that number" })
            const recorded = saasInvoiceRecord(stored.value)
            yield* trail({
              actor: yield* CurrentActor,
              action: "saas_invoice.recorded",
              subject: `saas_invoice:${recorded.saas_invoice_id}`,
              businessId: recorded.business_id,
              after: { number: recorded.number, status: recorded.status, total_amount: recorded.total_amount }
            })
            return recorded
          })
        )
      })

      /** Changes a locked invoice that is not void, with an entry in the audit log. */
      const change = <E>(
        invoiceId: number,
        action: string,
        next: (invoice: SaasInvoice) => Effect.Effect<SaasInvoice, E>
      ) =>
        transaction.run(
          Effect.gen(function* () {
            const before = yield* orNotFound("invoice")(yield* invoices.lock(invoiceId))
            if (before.status === "void")
              return yield* new Conflict({ reason: `Invoice ${before.number} is void` })
            const after = yield* next(before)
            yield* invoices.update(after)
            const stateOf = (invoice: SaasInvoice) => {
              const { amount_paid, status } = saasInvoiceRecord(invoice)
              return { status, amount_paid }
            }
            yield* trail({
              actor: yield* CurrentActor,
              action,
              subject: `saas_invoice:${invoiceId}`,
              businessId: before.business_id,
              before: stateOf(before),
              after: stateOf(after)
            })
            return saasInvoiceRecord(after)
          })
        )

      const pay = Effect.fn("AdminSaasInvoices.pay")(function* (invoiceId: number, input: SaasPaymentInput) {
        return yield* change(invoiceId, "saas_invoice.paid", (before) => {
          const { invoice, issues } = withSaasPayment(before, input)
          return Effect.as(refuseIssues(issues), invoice)
        })
      })

      const void_ = Effect.fn("AdminSaasInvoices.void")(function* (invoiceId: number) {
        return yield* change(invoiceId, "saas_invoice.voided", (before) =>
          before.payments.length > 0
            ? Effect.fail(new Conflict({ reason: `Invoice ${before.number} has payments` }))
            : Effect.succeed<SaasInvoice>({ ...before, status: "void" })
        )
      })

      return AdminSaasInvoices.of({ list, get, record, pay, void: void_ })
    })
  )
}
