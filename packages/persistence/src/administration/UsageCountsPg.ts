/** Counts the records of a business, in one statement. */
import { type DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { type BusinessId, UsageCounts } from "@livery/domain"
import { instant, oneRow, rowsAs } from "../sql/rows/Rows.ts"

const counted = rowsAs(UsageCounts)

/**
 * Makes `AdminBusinessRepository.counts`. Deleted records and sample events are not counted, except for deleted invoices,
 * which the plan's limit counts too.
 */
export const makeUsageCounts = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (businessId: BusinessId, monthStart: DateTime.Utc) {
    const since = instant(monthStart)
    const isOfBusiness = sql`business_id = ${businessId}`
    return yield* oneRow(
      counted(sql`
      SELECT
        (SELECT count(*) FROM cars WHERE ${isOfBusiness} AND active AND deleted_at IS NULL) AS cars,
        (SELECT count(*) FROM drivers WHERE ${isOfBusiness} AND active AND deleted_at IS NULL) AS drivers,
        (SELECT count(*) FROM driver_seats WHERE ${isOfBusiness} AND ended_at IS NULL) AS seats,
        (SELECT count(*) FROM business_members WHERE ${isOfBusiness}) AS members,
        (SELECT count(*) FROM customers WHERE ${isOfBusiness} AND deleted_at IS NULL) AS customers,
        (SELECT count(*) FROM trips WHERE ${isOfBusiness} AND deleted_at IS NULL) AS trips,
        (SELECT count(*) FROM trips WHERE ${isOfBusiness} AND deleted_at IS NULL AND created_at >= ${since}) AS trips_this_month,
        (SELECT count(*) FROM invoices WHERE ${isOfBusiness}) AS invoices,
        (SELECT count(*) FROM invoices WHERE ${isOfBusiness} AND created_at >= ${since}) AS invoices_this_month,
        (SELECT count(*) FROM event_history WHERE ${isOfBusiness} AND NOT sample) AS events,
        (SELECT count(*) FROM webhook_endpoints WHERE ${isOfBusiness} AND deleted_at IS NULL) AS webhooks,
        (SELECT count(*) FROM api_keys WHERE ${isOfBusiness}) AS api_keys,
        greatest(
          (SELECT max(created_at) FROM event_history WHERE ${isOfBusiness} AND NOT sample),
          (SELECT max(last_used_at) FROM api_keys WHERE ${isOfBusiness})
        ) AS last_activity_at`)
    )
  })
