import { Effect, Schema } from "effect"
import { BusinessId, SeatSubscriptionRepository } from "@livery/domain"
import { execute, instant, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const subscriptions = rowsAs(
  Schema.Struct({
    item_id: Schema.String,
    seats: Schema.Int,
    quantity: Schema.NullOr(Schema.Int),
    attempt: Schema.Int,
    attempted: Schema.NullOr(Schema.Int),
    lease: Schema.Int,
    leased_until: Schema.NullOr(Schema.DateTimeUtcFromDate),
    due_at: Schema.DateTimeUtcFromDate
  })
)
const keys = rowsAs(Schema.Struct({ business_id: BusinessId }))

export const layer = onPostgres(SeatSubscriptionRepository, (sql) => ({
  find: (businessId) =>
    firstOf(
      subscriptions(sql`
          SELECT b.subscription_item_id AS item_id,
            (SELECT count(*) FROM driver_seats WHERE business_id = ${businessId} AND ended_at IS NULL) AS seats,
            s.quantity, COALESCE(s.attempt, 0) AS attempt, s.attempted, COALESCE(s.lease, 0) AS lease,
            s.leased_until, COALESCE(s.due_at, b.updated_at) AS due_at
          FROM businesses b
          LEFT JOIN seat_subscriptions s ON s.business_id = b.business_id AND s.business_id = ${businessId}
          WHERE b.business_id = ${businessId} AND b.subscription_item_id IS NOT NULL`)
    ),
  save: (business_id, { attempt, attempted, due_at, lease, leased_until, quantity }) => {
    const row = {
      attempt,
      attempted,
      due_at: instant(due_at),
      lease,
      leased_until: leased_until === null ? null : instant(leased_until),
      quantity
    }
    return execute(sql`
          INSERT INTO seat_subscriptions ${sql.insert({ business_id, ...row })}
          ON CONFLICT (business_id) DO UPDATE SET ${sql.update(row)}`)
  },
  due: (now, limit) =>
    Effect.map(
      keys(sql`
          SELECT s.business_id FROM seat_subscriptions s JOIN businesses b ON b.business_id = s.business_id
          WHERE s.due_at <= ${instant(now)} AND b.subscription_item_id IS NOT NULL
          ORDER BY s.due_at, s.business_id LIMIT ${limit}`),
      (rows) => rows.map(({ business_id }) => business_id)
    )
}))
