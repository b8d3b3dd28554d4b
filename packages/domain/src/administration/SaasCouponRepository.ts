/** The port that stores the coupons of the platform. */
import { Context, type Effect, type Option } from "effect"
import type { BusinessId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { CouponUse, NewSaasCoupon, SaasCoupon } from "./SaasCoupon.ts"

/**
 * - `list`: a page of the coupons, oldest first.
 * - `find`: the coupon with that id.
 * - `insert`: stores an active coupon that was never redeemed; `None` if another one has the code.
 * - `lock`: the coupon with that id, locked until the transaction ends. Its `times_redeemed` includes the redemptions that
 *   earlier holders of the lock committed.
 * - `useBy`: the use of a coupon by a business; `None` if it has no invoice with it that is not void.
 * - `setActive`: makes a locked coupon active or inactive.
 */
export class SaasCouponRepository extends Context.Service<
  SaasCouponRepository,
  {
    readonly list: (page: PageRequest) => Effect.Effect<Page<SaasCoupon>>
    readonly find: (couponId: number) => Effect.Effect<Option.Option<SaasCoupon>>
    readonly insert: (coupon: NewSaasCoupon) => Effect.Effect<Option.Option<SaasCoupon>>
    readonly lock: (couponId: number) => Effect.Effect<Option.Option<SaasCoupon>>
    readonly useBy: (couponId: number, businessId: BusinessId) => Effect.Effect<Option.Option<CouponUse>>
    readonly setActive: (couponId: number, active: boolean) => Effect.Effect<void>
  }
>()("@livery/domain/SaasCouponRepository") {}
