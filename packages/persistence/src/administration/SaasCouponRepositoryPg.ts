import { Effect } from "effect"
import { CouponUse, invoiceMachine, SaasCoupon, SaasCouponRepository } from "@livery/domain"
import { columnsOf, valuesOf } from "../sql/rows/Columns.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { execute, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { inStates } from "../sql/rows/States.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const coupons = rowsAs(SaasCoupon)
const uses = rowsAs(CouponUse)
const pageOfCoupons = pagesOf(SaasCoupon)

const isCharged = inStates(invoiceMachine, (status) => status !== "void")

const redeemed = `(
  SELECT count(DISTINCT i.business_id)::int FROM saas_invoices i WHERE i.coupon_id = c.coupon_id AND i.status ${isCharged})`

/** The columns that have no default. */
const inserted = Object.keys(SaasCoupon.fields).filter(
  (name) => !["coupon_id", "times_redeemed", "active"].includes(name)
)

export const layer = onPostgres(SaasCouponRepository, (sql) => {
  const columns = sql.literal(columnsOf(SaasCoupon, "c", { times_redeemed: redeemed }))
  const find = (couponId: number) =>
    firstOf(coupons(sql`SELECT ${columns} FROM saas_coupons c WHERE c.coupon_id = ${couponId}::bigint`))
  return {
    list: (page) =>
      pageOfCoupons(sql, page, {
        columns,
        from: sql`saas_coupons c`,
        where: sql`true`,
        order: sql`c.coupon_id`
      }),
    find,
    // The second statement counts the redemptions that the previous holder of the lock committed.
    lock: (couponId) =>
      Effect.andThen(
        Effect.orDie(sql`SELECT FROM saas_coupons WHERE coupon_id = ${couponId}::bigint FOR NO KEY UPDATE`),
        find(couponId)
      ),
    useBy: (couponId, businessId) =>
      firstOf(
        uses(sql`
          SELECT min(i.issued_on) AS first, max(i.issued_on) AS last FROM saas_invoices i
          WHERE i.coupon_id = ${couponId}::bigint AND i.business_id = ${businessId}
            AND i.status ${sql.literal(isCharged)}
          HAVING count(*) > 0`)
      ),
    setActive: (couponId, active) =>
      execute(sql`UPDATE saas_coupons SET active = ${active} WHERE coupon_id = ${couponId}::bigint`),
    insert: (coupon) =>
      firstOf(
        coupons(sql`
          INSERT INTO saas_coupons AS c ${sql.insert(valuesOf(inserted, coupon))}
          ON CONFLICT (code) DO NOTHING RETURNING ${columns}`)
      )
  }
})
