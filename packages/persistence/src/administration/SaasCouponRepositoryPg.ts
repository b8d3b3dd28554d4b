/** The domain's `SaasCouponRepository` on PostgreSQL. */
import { Array, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { SaasCoupon, SaasCouponRepository } from "@livery/domain"
import { columnsOf, valuesOf } from "../sql/Columns.ts"
import { pagesOf } from "../sql/Pages.ts"
import { rowsAs } from "../sql/Rows.ts"

const coupons = rowsAs(SaasCoupon)
const pageOfCoupons = pagesOf(SaasCoupon)

/** The columns that have no default. */
const inserted = Object.keys(SaasCoupon.fields).filter(
  (name) => !["coupon_id", "times_redeemed", "active"].includes(name)
)

export const layer = Layer.effect(
  SaasCouponRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(columnsOf(SaasCoupon))
    return SaasCouponRepository.of({
      list: (page) =>
        pageOfCoupons(sql, page, {
          columns,
          from: sql`saas_coupons`,
          where: sql`true`,
          order: sql`coupon_id`
        }),
      find: (couponId) =>
        Effect.map(
          coupons(sql`SELECT ${columns} FROM saas_coupons WHERE coupon_id = ${couponId}::bigint`),
          Array.head
        ),
      insert: (coupon) =>
        Effect.map(
          coupons(sql`
            INSERT INTO saas_coupons ${sql.insert(valuesOf(inserted, coupon))}
            ON CONFLICT (code) DO NOTHING RETURNING ${columns}`),
          Array.head
        )
    })
  })
)
