/** The contract of `SaasCouponRepository`. */
import { SaasCouponRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { contract, unique } from "./Contract.ts"
import { now, wholeList } from "./Given.ts"

/** A coupon that is not stored yet. */
export const newCoupon = () => ({
  code: unique("COUPON"),
  description: null,
  percent_off: 20,
  amount_off_minor: null,
  currency: null,
  duration: "once" as const,
  duration_months: null,
  max_redemptions: 5,
  valid_until: "2027-01-31",
  created_at: now
})

export const saasCouponRepository = contract("the coupons of the platform", (it) => {
  it.effect("stores coupons, one for each code", () =>
    Effect.gen(function* () {
      const coupons = yield* SaasCouponRepository
      const given = newCoupon()
      const stored = Option.getOrThrow(yield* coupons.insert(given))
      assert.deepStrictEqual(stored, {
        ...given,
        coupon_id: stored.coupon_id,
        times_redeemed: 0,
        active: true
      })
      assert.isTrue(Option.isNone(yield* coupons.insert(given)))
      assert.deepStrictEqual(yield* coupons.find(stored.coupon_id), Option.some(stored))
      assert.isTrue(Option.isNone(yield* coupons.find(999_999_999_999)))
      const other = Option.getOrThrow(yield* coupons.insert(newCoupon()))
      const { items } = yield* coupons.list(wholeList)
      assert.deepStrictEqual(items, [stored, other])
    })
  )

  it.effect("locks a coupon, and makes it inactive and active again", () =>
    Effect.gen(function* () {
      const coupons = yield* SaasCouponRepository
      const stored = Option.getOrThrow(yield* coupons.insert(newCoupon()))
      const { coupon_id } = stored
      assert.deepStrictEqual(yield* coupons.lock(coupon_id), Option.some(stored))
      for (const active of [false, true]) {
        yield* coupons.setActive(coupon_id, active)
        assert.deepStrictEqual(yield* coupons.find(coupon_id), Option.some({ ...stored, active }))
      }
      assert.isTrue(Option.isNone(yield* coupons.lock(999_999_999_999)))
    })
  )
})
