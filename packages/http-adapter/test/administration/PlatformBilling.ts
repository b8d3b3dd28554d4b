// The platform's coupons and invoices as the operator of the platform records them: by the use cases, without a route.
import {
  AdminCoupons,
  AdminSaasInvoices,
  SaasCouponInput,
  SaasInvoiceInput,
  SaasPaymentInput,
  UseCases
} from "@livery/domain"
import { RateCounters } from "@livery/domain"
import { Effect, Layer, Schema } from "effect"

const Records = UseCases.pipe(Layer.provide(RateCounters.layerMemory))

export const addCoupon = (input: typeof SaasCouponInput.Encoded) =>
  AdminCoupons.use((coupons) => coupons.create(Schema.decodeSync(SaasCouponInput)(input))).pipe(
    Effect.provide(Records)
  )

export const setCouponActive = (couponId: number, active: boolean) =>
  AdminCoupons.use((coupons) => coupons.setActive(couponId, active)).pipe(Effect.provide(Records))

export const recordInvoice = (input: typeof SaasInvoiceInput.Encoded) =>
  AdminSaasInvoices.use((it) => it.record(Schema.decodeSync(SaasInvoiceInput)(input))).pipe(
    Effect.provide(Records)
  )

const change = <A, E>(use: (invoices: AdminSaasInvoices["Service"]) => Effect.Effect<A, E>) =>
  AdminSaasInvoices.use(use).pipe(Effect.provide(Records))

export const payInvoice = (invoiceId: number, input: typeof SaasPaymentInput.Encoded) =>
  change((it) => it.pay(invoiceId, Schema.decodeSync(SaasPaymentInput)(input)))

export const voidInvoice = (invoiceId: number) => change((it) => it.void(invoiceId))

export const invoice = (business_id: number, number: string) => ({
  number,
  business_id,
  currency: "USD",
  issued_on: "2026-11-20",
  period_start: "2026-11-01",
  period_end: "2026-11-30",
  discount_total: 10,
  tax_total: 2.5,
  lines: [
    { description: "Pro", unit_price: 40 },
    { description: "Seats", quantity: 3, unit_price: 15 }
  ],
  payments: [{ amount: 50, method: "card", paid_on: "2026-11-21", reference: "ch_1" }]
})
