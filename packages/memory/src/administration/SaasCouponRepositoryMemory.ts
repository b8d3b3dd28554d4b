/** The domain's `SaasCouponRepository` in memory. */
import { SaasCouponRepository } from "@livery/domain"
import { Effect, Layer, Option } from "effect"
import { pageOf } from "../store/Pages.ts"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  SaasCouponRepository,
  Effect.map(Store, ({ coupons, step }) =>
    SaasCouponRepository.of({
      list: (page) => step(() => pageOf(coupons.where(), page)),
      find: (couponId) => step(() => Option.fromUndefinedOr(coupons.get(couponId))),
      insert: (coupon) =>
        step(() => {
          if (coupons.find(({ code }) => code === coupon.code)) return Option.none()
          const coupon_id = coupons.next()
          return Option.some(
            coupons.set(coupon_id, { ...coupon, coupon_id, times_redeemed: 0, active: true })
          )
        })
    })
  )
)
