/** The platform's invoices to businesses, for super-admins. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import { Conflict, InvalidInput, orNotFound, refuseIssues } from "../kernel/Errors.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { AdminBusinessRepository } from "./AdminBusinessRepository.ts"
import { couponRefusal } from "./SaasCoupon.ts"
import {
  newSaasInvoice,
  type SaasInvoice,
  type SaasInvoiceFilter,
  type SaasInvoiceInput,
  saasInvoiceRecord,
  saasInvoiceSummary,
  type SaasPaymentInput,
  withSaasPayment
} from "./SaasInvoice.ts"
import { SaasCouponRepository } from "./SaasCouponRepository.ts"
import { SaasInvoiceRepository } from "./SaasInvoiceRepository.ts"
import { traced } from "../kernel/TracedFunction.ts"

export class AdminSaasInvoices extends Context.Service<AdminSaasInvoices>()(
  "@livery/domain/AdminSaasInvoices",
  {
    make: Effect.gen(function* () {
      const transaction = yield* Transaction
      const invoices = yield* SaasInvoiceRepository
      const businesses = yield* AdminBusinessRepository
      const coupons = yield* SaasCouponRepository
      const writeAudit = yield* makeAuditTrail

      /** The issues of the invoice's coupon. The coupon stays locked, so that its last redemption happens once. */
      const couponIssues = Effect.fnUntraced(function* (coupon_id: number, input: SaasInvoiceInput) {
        const issuesWith = (issue: FieldIssue["issue"]) => [{ field: "coupon_id", issue }]
        const coupon = yield* coupons.lock(coupon_id)
        if (Option.isNone(coupon)) return { issues: issuesWith("not_found") }
        if (input.voided === true) return { issues: [] }
        const use = yield* coupons.useBy(coupon_id, input.business_id)
        const advice = couponRefusal(coupon.value, use, input)
        return advice === undefined ? { issues: [] } : { issues: issuesWith("invalid"), advice }
      })

      /** Fails unless the business exists and the invoice can have its coupon; `others` are the other wrong fields. */
      const requireValid = Effect.fnUntraced(function* (
        input: SaasInvoiceInput,
        others: ReadonlyArray<FieldIssue>
      ) {
        const { business_id, coupon_id } = input
        const isPresent = Option.isSome(yield* businesses.find(business_id))
        const business = isPresent ? [] : [{ field: "business_id", issue: "not_found" as const }]
        const coupon = coupon_id === null ? { issues: [] } : yield* couponIssues(coupon_id, input)
        const issues = [...business, ...coupon.issues, ...others]
        if (issues.length > 0) return yield* new InvalidInput({ ...coupon, issues })
      })

      /** Changes a locked invoice that is not void, with an entry in the audit log. */
      const change = <E>(
        invoiceId: number,
        action: string,
        next: (invoice: SaasInvoice) => Effect.Effect<SaasInvoice, E>
      ) =>
        atomically(transaction, function* () {
          const before = yield* orNotFound("invoice")(yield* invoices.lock(invoiceId))
          if (before.status === "void")
            return yield* new Conflict({ reason: `Invoice ${before.number} is void` })
          const after = yield* next(before)
          yield* invoices.update(after)
          const stateOf = (invoice: SaasInvoice) => {
            const { amount_paid, status } = saasInvoiceRecord(invoice)
            return { status, amount_paid }
          }
          yield* writeAudit({
            actor: yield* CurrentActor,
            action,
            subject: `saas_invoice:${invoiceId}`,
            businessId: before.business_id,
            before: stateOf(before),
            after: stateOf(after)
          })
          return saasInvoiceRecord(after)
        })

      const void_ = traced("AdminSaasInvoices.void")(function* (invoiceId: number) {
        return yield* change(invoiceId, "saas_invoice.voided", (before) =>
          before.payments.length > 0
            ? Effect.fail(new Conflict({ reason: `Invoice ${before.number} has payments` }))
            : Effect.succeed<SaasInvoice>({ ...before, status: "void" })
        )
      })

      return {
        /** The invoices, newest first. */
        list: traced("AdminSaasInvoices.list")(function* (filter: SaasInvoiceFilter, page: PageRequest) {
          return mapPage(yield* invoices.list(filter, page), saasInvoiceSummary)
        }),

        /** One invoice with its lines and payments. */
        get: traced("AdminSaasInvoices.get")(function* (invoiceId: number) {
          return saasInvoiceRecord(yield* orNotFound("invoice")(yield* invoices.find(invoiceId)))
        }),

        /**
         * Stores an invoice that was raised elsewhere, with its payments. `Conflict` if another one has the number;
         * `InvalidInput` if its business or coupon is absent, the coupon cannot be used for it, its sums contradict each
         * other or its period ends before it begins.
         */
        record: traced("AdminSaasInvoices.record")(function* (input: SaasInvoiceInput) {
          const { invoice, issues } = newSaasInvoice(input, yield* DateTime.now)
          return yield* atomically(transaction, function* () {
            yield* requireValid(input, issues)
            const stored = yield* invoices.insert(invoice)
            if (Option.isNone(stored))
              return yield* new Conflict({ reason: "Another invoice has that number" })
            const recorded = saasInvoiceRecord(stored.value)
            yield* writeAudit({
              actor: yield* CurrentActor,
              action: "saas_invoice.recorded",
              subject: `saas_invoice:${recorded.saas_invoice_id}`,
              businessId: recorded.business_id,
              after: {
                number: recorded.number,
                status: recorded.status,
                total_amount: recorded.total_amount
              }
            })
            return recorded
          })
        }),

        /**
         * Adds a payment to a recorded invoice; the status follows. `InvalidInput` for more than is due, `Conflict` for
         * a void invoice.
         */
        pay: traced("AdminSaasInvoices.pay")(function* (invoiceId: number, input: SaasPaymentInput) {
          return yield* change(invoiceId, "saas_invoice.paid", (before) => {
            const { invoice, issues } = withSaasPayment(before, input)
            return Effect.as(refuseIssues(issues), invoice)
          })
        }),

        /** Voids a recorded invoice; `Conflict` if it has payments or is void. */
        void: void_
      }
    })
  }
) {
  static readonly layer = Layer.effect(AdminSaasInvoices, AdminSaasInvoices.make)
}
