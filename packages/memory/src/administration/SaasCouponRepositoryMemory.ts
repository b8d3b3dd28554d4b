import { type SaasCoupon, SaasCouponRepository } from "@livery/domain"
import { Option } from "effect"
import { pageOf } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(SaasCouponRepository, ({ coupons, saasInvoices, step }) => {
  const invoicesWith = (couponId: number) =>
    saasInvoices.where(({ coupon_id, status }) => coupon_id === couponId && status !== "void")
  const counted = (coupon: SaasCoupon): SaasCoupon => {
    const redeemed = invoicesWith(coupon.coupon_id)
    return { ...coupon, times_redeemed: new Set(redeemed.map(({ business_id }) => business_id)).size }
  }
  const find = (couponId: number) =>
    step(() => Option.map(Option.fromUndefinedOr(coupons.get(couponId)), counted))
  return {
    list: (page) => step(() => pageOf(coupons.where().map(counted), page)),
    find,
    lock: find,
    useBy: (couponId, businessId) =>
      step(() => {
        const days = invoicesWith(couponId)
          .filter(({ business_id }) => business_id === businessId)
          .map(({ issued_on }) => issued_on)
          .toSorted()
        const [first] = days
        return first === undefined ? Option.none() : Option.some({ first, last: days.at(-1) ?? first })
      }),
    setActive: (couponId, active) =>
      step(() => {
        coupons.change(couponId, { active })
      }),
    insert: (coupon) =>
      step(() => {
        if (coupons.find(({ code }) => code === coupon.code)) return Option.none()
        const coupon_id = coupons.next()
        return Option.some(coupons.set(coupon_id, { ...coupon, coupon_id, times_redeemed: 0, active: true }))
      })
  }
})
