/** The coupons of the platform, for super-admins. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import { Conflict, orNotFound, refuseIssues } from "../kernel/Errors.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import { fromMajor, issueOfRefused } from "../kernel/money/Money.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { type SaasCouponInput, saasCouponRecord } from "./SaasCoupon.ts"
import { SaasCouponRepository } from "./SaasCouponRepository.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** The amount in minor units, and the fields that contradict each other. */
const amountAndIssues = ({
  amount_off = null,
  currency,
  duration,
  duration_months,
  percent_off
}: SaasCouponInput) => {
  const issues: Array<FieldIssue> = []
  if (percent_off === null && amount_off === null) issues.push({ field: "percent_off", issue: "required" })
  if (percent_off !== null && amount_off !== null) issues.push({ field: "amount_off", issue: "invalid" })
  if (amount_off !== null && currency === null) issues.push({ field: "currency", issue: "required" })
  // A coupon in percent applies in every currency.
  if (amount_off === null && currency !== null) issues.push({ field: "currency", issue: "invalid" })
  if ((duration === "repeating") !== (duration_months !== null))
    issues.push({ field: "duration_months", issue: duration === "repeating" ? "required" : "invalid" })
  const money = amount_off === null || currency === null ? Option.none() : fromMajor(amount_off, currency)
  const minor = Option.match(money, { onNone: () => null, onSome: (amount) => amount.minor })
  if (amount_off !== null && currency !== null && (minor === null || minor === 0))
    issues.push({
      field: "amount_off",
      ...(minor === 0 ? { issue: "out_of_range" as const } : issueOfRefused(amount_off, currency))
    })
  return { issues, minor }
}

export class AdminCoupons extends Context.Service<AdminCoupons>()("@livery/domain/AdminCoupons", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const coupons = yield* SaasCouponRepository
    const writeAudit = yield* makeAuditTrail

    return {
      /** The coupons, oldest first. */
      list: traced("AdminCoupons.list")(function* (page: PageRequest) {
        return mapPage(yield* coupons.list(page), (coupon) => saasCouponRecord(coupon))
      }),

      get: traced("AdminCoupons.get")(function* (couponId: number) {
        return saasCouponRecord(yield* orNotFound("coupon")(yield* coupons.find(couponId)))
      }),

      /**
       * A new active coupon; `Conflict` if another one has the code, `InvalidInput` if fields contradict each other.
       */
      create: traced("AdminCoupons.create")(function* (input: SaasCouponInput) {
        const { issues, minor } = amountAndIssues(input)
        yield* refuseIssues(issues)
        const { amount_off: _, ...fields } = input
        return yield* atomically(transaction, function* () {
          const created_at = yield* DateTime.now
          const stored = yield* coupons.insert({ ...fields, amount_off_minor: minor, created_at })
          if (Option.isNone(stored)) return yield* new Conflict({ reason: "Another coupon has that code" })
          const record = saasCouponRecord(stored.value)
          yield* writeAudit({
            actor: yield* CurrentActor,
            action: "coupon.created",
            subject: `coupon:${record.coupon_id}`,
            after: { ...record }
          })
          return record
        })
      }),

      /** Makes a coupon active or inactive; no change if it is so already. Businesses that have redeemed it keep it. */
      setActive: traced("AdminCoupons.setActive")(function* (couponId: number, active: boolean) {
        return yield* atomically(transaction, function* () {
          const before = yield* orNotFound("coupon")(yield* coupons.lock(couponId))
          if (before.active === active) return saasCouponRecord(before)
          yield* coupons.setActive(couponId, active)
          yield* writeAudit({
            actor: yield* CurrentActor,
            action: active ? "coupon.activated" : "coupon.deactivated",
            subject: `coupon:${couponId}`,
            before: { active: before.active },
            after: { active }
          })
          return saasCouponRecord({ ...before, active })
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(AdminCoupons, AdminCoupons.make)
}
