/** The contract of `SaasInvoiceRepository`. */
import { Currency, type NewSaasInvoice, SaasCouponRepository, SaasInvoiceRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { contract, unique } from "./Contract.ts"
import { newBusiness, now, wholeList } from "./Given.ts"
import { newCoupon } from "./SaasCouponRepository.ts"

const invoiceOf = (business_id: NewSaasInvoice["business_id"], change: Partial<NewSaasInvoice> = {}) => ({
  number: unique("P"),
  business_id,
  status: "partial" as const,
  currency: Currency.make("USD"),
  period_start: "2026-11-01",
  period_end: "2026-11-30",
  coupon_id: null,
  discount_minor: 100,
  tax_minor: 50,
  issued_on: "2026-11-20",
  due_date: null,
  lines: [{ description: "Seats", quantity: 3, unit_price_minor: 1500 }],
  payments: [{ amount_minor: 1000, method: "card" as const, paid_on: "2026-11-20", reference: null }],
  created_at: now,
  ...change
})

export const saasInvoiceRepository = contract("the invoices of the platform", (it) => {
  it.effect("stores invoices with lines and payments, and finds them by business and status", () =>
    Effect.gen(function* () {
      const invoices = yield* SaasInvoiceRepository
      const coupons = yield* SaasCouponRepository
      const business = yield* newBusiness
      const other = yield* newBusiness
      const { coupon_id } = Option.getOrThrow(yield* coupons.insert(newCoupon()))
      const given = invoiceOf(business, { coupon_id })
      const stored = Option.getOrThrow(yield* invoices.insert(given))
      const { saas_invoice_id } = stored
      assert.deepStrictEqual(stored, { ...given, saas_invoice_id, business_name: "Cars" })
      assert.isTrue(Option.isNone(yield* invoices.insert(invoiceOf(other, { number: given.number }))))
      const paid = Option.getOrThrow(yield* invoices.insert(invoiceOf(business, { status: "paid" })))
      const foreign = Option.getOrThrow(yield* invoices.insert(invoiceOf(other)))
      assert.deepStrictEqual(yield* invoices.find(saas_invoice_id), Option.some(stored))
      assert.isTrue(Option.isNone(yield* invoices.find(999_999_999)))
      const listed = Effect.fnUntraced(function* (filter: Parameters<typeof invoices.list>[0]) {
        return (yield* invoices.list(filter, wholeList)).items
      })
      assert.deepStrictEqual(yield* listed({}), [foreign, paid, stored])
      assert.deepStrictEqual(yield* listed({ business_id: business }), [paid, stored])
      assert.deepStrictEqual(yield* listed({ business_id: business, status: "paid" }), [paid])
      assert.deepStrictEqual(yield* listed({ status: "void" }), [])
      const ended = { ...foreign, status: "void" as const, payments: [] }
      assert.deepStrictEqual(yield* invoices.lock(foreign.saas_invoice_id), Option.some(foreign))
      yield* invoices.update(ended)
      assert.deepStrictEqual(yield* invoices.find(foreign.saas_invoice_id), Option.some(ended))
      assert.deepStrictEqual(yield* listed({ status: "void" }), [ended])
      assert.isTrue(Option.isNone(yield* invoices.lock(999_999_999)))
    })
  )

  it.effect("count the businesses that redeemed a coupon, but for invoices that are void", () =>
    Effect.gen(function* () {
      const invoices = yield* SaasInvoiceRepository
      const coupons = yield* SaasCouponRepository
      const [one, two] = [yield* newBusiness, yield* newBusiness]
      const { coupon_id } = Option.getOrThrow(yield* coupons.insert(newCoupon()))
      for (const business of [one, one, two]) yield* invoices.insert(invoiceOf(business, { coupon_id }))
      yield* invoices.insert(invoiceOf(yield* newBusiness, { coupon_id, status: "void" }))
      assert.strictEqual(Option.getOrThrow(yield* coupons.find(coupon_id)).times_redeemed, 2)
      const { items } = yield* coupons.list(wholeList)
      assert.strictEqual(items.find((it) => it.coupon_id === coupon_id)?.times_redeemed, 2)
    })
  )

  it.effect("tell the first and the last day on which a business used a coupon, but for void ones", () =>
    Effect.gen(function* () {
      const invoices = yield* SaasInvoiceRepository
      const coupons = yield* SaasCouponRepository
      const [one, two] = [yield* newBusiness, yield* newBusiness]
      const { coupon_id } = Option.getOrThrow(yield* coupons.insert(newCoupon()))
      const add = (business: typeof one, issued_on: string, change: Partial<NewSaasInvoice> = {}) =>
        invoices.insert(invoiceOf(business, { coupon_id, issued_on, ...change }))
      for (const day of ["2026-11-20", "2026-09-01", "2026-10-05"]) yield* add(one, day)
      yield* add(one, "2025-01-01", { status: "void" })
      yield* add(one, "2025-01-01", { coupon_id: null })
      yield* add(two, "2025-01-01", { status: "void" })
      const use = { first: "2026-09-01", last: "2026-11-20" }
      assert.deepStrictEqual(yield* coupons.useBy(coupon_id, one), Option.some(use))
      assert.isTrue(Option.isNone(yield* coupons.useBy(coupon_id, two)))
    })
  )
})
