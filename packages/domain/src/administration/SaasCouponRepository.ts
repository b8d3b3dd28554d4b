/** The port that stores the coupons of the platform. */
import { Context, type Effect, type Option } from "effect"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { NewSaasCoupon, SaasCoupon } from "./SaasCoupon.ts"

/**
 * - `list`: a page of the coupons, oldest first.
 * - `find`: the coupon with that id.
 * - `insert`: stores an active coupon that was never redeemed; `None` if another one has the code.
 */
export class SaasCouponRepository extends Context.Service<
  SaasCouponRepository,
  {
    readonly list: (page: PageRequest) => Effect.Effect<Page<SaasCoupon>>
    readonly find: (couponId: number) => Effect.Effect<Option.Option<SaasCoupon>>
    readonly insert: (coupon: NewSaasCoupon) => Effect.Effect<Option.Option<SaasCoupon>>
  }
>()("@livery/domain/SaasCouponRepository") {}
