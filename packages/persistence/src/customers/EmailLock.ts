import type { BusinessId } from "@livery/domain"
import type { SqlClient } from "effect/sql"

/**
 * The key of the advisory lock on the emails of a business's customers. An assignment of an email takes it exclusively,
 * a look-up by email takes it shared.
 */
export const emailLock = (sql: SqlClient.SqlClient, businessId: BusinessId) =>
  sql`hashtextextended('customers by email', ${businessId}::bigint)`
