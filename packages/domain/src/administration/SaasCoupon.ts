/** The coupons of the platform: discounts on what businesses pay for their plans (docs/api/administration.md). */
import { DateTime, Option, Schema } from "effect"
import * as Field from "../kernel/fields/Field.ts"
import { check } from "../kernel/fields/FieldIssue.ts"
import * as Value from "../kernel/fields/Value.ts"
import type { Currency } from "../kernel/money/Currency.ts"
import { toMajor } from "../kernel/money/Money.ts"

/** The invoices to which a coupon applies: the next one, those of some months, or all. */
export const CouponDuration = Schema.Literals(["once", "repeating", "forever"])
export type CouponDuration = typeof CouponDuration.Type

const code = Value.checkedText(
  Schema.String.check(
    check<string>("invalid", (text) => /^[A-Z0-9][A-Z0-9_-]{2,39}$/u.test(text), {
      pattern: "^[A-Z0-9][A-Z0-9_-]{2,39}$"
    })
  ),
  { maxLength: 40 }
)

/**
 * The fields of a coupon. It takes either `percent_off` or `amount_off` in `currency` off an invoice. `duration_months` is
 * for a repeating one. `times_redeemed` is the number of businesses that have an invoice with it that is not void, and
 * `max_redemptions` the limit of that number (null: no limit). A business's first invoice with it must be issued on
 * `valid_until` or earlier. No further business can redeem an inactive coupon.
 */
export const couponFields = Field.ofNobody({
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
})

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

/** The days of issue of a business's earliest and latest invoice with a coupon, but for void ones. */
export const CouponUse = Schema.Struct({ first: Schema.String, last: Schema.String })
export type CouponUse = typeof CouponUse.Type

const monthsAfter = (day: string, months: number) =>
  DateTime.formatIsoDateUtc(DateTime.add(DateTime.makeUnsafe(`${day}T00:00:00Z`), { months }))

/** Why a business cannot redeem the coupon with a first invoice; undefined if it can. */
const refusalOfFirst = (
  { active, max_redemptions, times_redeemed, valid_until }: SaasCoupon,
  issued_on: string
): string | undefined => {
  if (!active) return "is not active"
  if (valid_until !== null && issued_on > valid_until) return `was valid until ${valid_until}`
  if (max_redemptions !== null && times_redeemed >= max_redemptions)
    return `was redeemed by ${times_redeemed} businesses, and its limit is ${max_redemptions}`
  return undefined
}

/** Why a business that has redeemed the coupon cannot have it on another invoice; undefined if it can. */
const refusalOfNext = (
  { duration, duration_months }: SaasCoupon,
  use: CouponUse,
  issued_on: string
): string | undefined => {
  if (duration === "once") return "is for one invoice, and the business has one with it"
  if (duration !== "repeating" || duration_months === null) return undefined
  const first = issued_on < use.first ? issued_on : use.first
  const last = issued_on > use.last ? issued_on : use.last
  const ended = monthsAfter(first, duration_months)
  return last < ended ? undefined : `is for ${duration_months} months, which end before ${ended}`
}

/**
 * Why an invoice of a business cannot have the coupon, as a sentence; undefined if it can. A business that has redeemed the
 * coupon keeps it for its duration, even after it has expired, is exhausted or became inactive.
 */
export const couponRefusal = (
  coupon: SaasCoupon,
  use: Option.Option<CouponUse>,
  { currency, issued_on }: { readonly currency: Currency; readonly issued_on: string }
): string | undefined => {
  const reason =
    coupon.currency !== null && coupon.currency !== currency
      ? `is an amount in ${coupon.currency}`
      : Option.match(use, {
          onNone: () => refusalOfFirst(coupon, issued_on),
          onSome: (before) => refusalOfNext(coupon, before, issued_on)
        })
  return reason === undefined ? undefined : `Coupon ${coupon.code} ${reason}`
}
