import { BusinessId, SubscriptionStatus, SubscriptionStatusRepository } from "@livery/domain"
import { Array, Effect, Option, Schema } from "effect"
import { instant, rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const ids = rowsAs(Schema.Struct({ business_id: BusinessId }))
const statuses = rowsAs(Schema.Struct({ subscription_status: SubscriptionStatus }))

export const layer = onPostgres(SubscriptionStatusRepository, (sql) => ({
  withItems: (itemIds) =>
    Effect.map(
      ids(sql`
          SELECT business_id FROM businesses
          WHERE subscription_item_id = ANY (${[...itemIds]}::text[]) ORDER BY business_id`),
      (rows) => rows.map(({ business_id }) => business_id)
    ),
  set: (businessId, status, now) =>
    Effect.map(
      statuses(sql`
          WITH before AS (
            SELECT business_id, subscription_status FROM businesses
            WHERE business_id = ${businessId} FOR NO KEY UPDATE)
          UPDATE businesses b SET subscription_status = ${status}, updated_at = ${instant(now)}
          FROM before
          WHERE b.business_id = before.business_id AND before.subscription_status <> ${status}
          RETURNING before.subscription_status`),
      (rows) => Option.map(Array.head(rows), ({ subscription_status }) => subscription_status)
    )
}))
