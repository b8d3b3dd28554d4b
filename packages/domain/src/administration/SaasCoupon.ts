/** The coupons of the platform: discounts on what businesses pay for their plans (docs/api/administration.md). */
import { Schema } from "effect"
import * as Field from "../kernel/fields/Field.ts"
import { check } from "../kernel/fields/FieldIssue.ts"
import * as Value from "../kernel/fields/Value.ts"
import { toMajor } from "../kernel/money/Money.ts"

/** The invoices to which a coupon applies: the next one, those of some months, or all. */
export const CouponDuration = Schema.Literals(["once", "repeating", "forever"])
export type CouponDuration = typeof CouponDuration.Type

const code = Value.textAs(
  Schema.String.check(
    check<string>("invalid", (text) => /^[A-Z0-9][A-Z0-9_-]{2,39}$/u.test(text), {
      pattern: "^[A-Z0-9][A-Z0-9_-]{2,39}$"
    })
  ),
  { maxLength: 40 }
)

/**
 * The fields of a coupon. It takes either `percent_off` or `amount_off` in `currency` off an invoice. `duration_months` is
 * for a repeating one. A null `max_redemptions` means no limit. `times_redeemed` is the number of businesses that have an
 * invoice with it that is not void.
 */
export const couponFields = {
  coupon_id: Field.assigned(Value.id(Schema.Int)),
  code: Field.required(code),
  description: Field.optional(Value.text(200)),
  percent_off: Field.optional(Value.wholeNumber(1, 100)),
  amount_off: {
    input: Schema.optionalKey(Schema.NullOr(Value.amount.required)),
    wire: Schema.NullOr(Value.amount.wire)
  },
  amount_off_minor: Field.internalOrNull(Value.minorAmount),
  currency: Field.optional(Value.currency),
  duration: Field.withDefault(Value.oneOf(CouponDuration), "once"),
  duration_months: Field.optional(Value.wholeNumber(1, 120)),
  max_redemptions: Field.optional(Value.wholeNumber(1, 1_000_000_000)),
  times_redeemed: Field.assigned(Value.wholeNumber(0, 1_000_000_000)),
  valid_until: Field.optional(Value.day),
  active: Field.assigned(Value.boolean),
  created_at: Field.assigned(Value.instant)
}

/** A coupon as stored. */
export const SaasCoupon = Field.storedOf(couponFields)
export type SaasCoupon = typeof SaasCoupon.Type

/** A coupon in a response. */
export const SaasCouponRecord = Field.recordOf(couponFields)
export type SaasCouponRecord = typeof SaasCouponRecord.Type

/** A new coupon. */
export const SaasCouponInput = Field.inputOf(couponFields)
export type SaasCouponInput = typeof SaasCouponInput.Type

/** A coupon that is not stored yet. */
export type NewSaasCoupon = Omit<SaasCoupon, "coupon_id" | "times_redeemed" | "active">

/** The record of a coupon. */
export const saasCouponRecord = Field.encoderOf<typeof couponFields, void>(couponFields, {
  amount_off: ({ amount_off_minor, currency }) =>
    amount_off_minor === null || currency === null ? null : toMajor({ minor: amount_off_minor, currency })
})
