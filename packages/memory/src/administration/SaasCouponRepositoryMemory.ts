/** The domain's `SaasCouponRepository` in memory. */
import { type SaasCoupon, SaasCouponRepository } from "@livery/domain"
import { Effect, Layer, Option } from "effect"
import { pageOf } from "../store/Pages.ts"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  SaasCouponRepository,
  Effect.map(Store, ({ coupons, saasInvoices, step }) => {
    const counted = (coupon: SaasCoupon): SaasCoupon => {
      const redeemed = saasInvoices.where(
        ({ coupon_id, status }) => coupon_id === coupon.coupon_id && status !== "void"
      )
      return { ...coupon, times_redeemed: new Set(redeemed.map(({ business_id }) => business_id)).size }
    }
    return SaasCouponRepository.of({
      list: (page) => step(() => pageOf(coupons.where().map(counted), page)),
      find: (couponId) => step(() => Option.map(Option.fromUndefinedOr(coupons.get(couponId)), counted)),
      insert: (coupon) =>
        step(() => {
          if (coupons.find(({ code }) => code === coupon.code)) return Option.none()
          const coupon_id = coupons.next()
          return Option.some(
            coupons.set(coupon_id, { ...coupon, coupon_id, times_redeemed: 0, active: true })
          )
        })
    })
  })
)
