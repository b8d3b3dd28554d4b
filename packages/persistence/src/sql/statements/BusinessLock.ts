/** The lock of a business. */
import type { BusinessId } from "@livery/domain"
import type { SqlClient } from "effect/sql"

/**
 * Locks a business (docs/lock-order.md, step 1). A statement of its own, so that the next one sees what the previous
 * holder committed.
 */
export const lockBusiness = (sql: SqlClient.SqlClient, businessId: BusinessId) =>
  sql`SELECT FROM businesses WHERE business_id = ${businessId} FOR NO KEY UPDATE`
