/** The locks of a business and of an account: rows that exist to be locked, made by the first lock. */
import type { BusinessId, UserId } from "@livery/domain"
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"

/**
 * Takes a lock, and inserts its row if there is none yet. The lock is a statement of its own, so that the next one sees what
 * the previous holder committed.
 */
const lockOrMake = (
  lock: Statement.Statement<object>,
  make: Statement.Statement<object>
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(lock, (rows) => (rows.length > 0 ? Effect.void : Effect.asVoid(Effect.andThen(make, lock))))

/**
 * Locks a business (docs/lock-order.md, step 1). The row in `business_counters` is locked and not the row in `businesses`,
 * because a distributed database locks a row of a copied table on every node.
 */
export const lockBusiness = (sql: SqlClient.SqlClient, businessId: BusinessId) =>
  lockOrMake(
    sql`SELECT FROM business_counters WHERE business_id = ${businessId} FOR NO KEY UPDATE`,
    sql`
      INSERT INTO business_counters (business_id) SELECT business_id FROM businesses WHERE business_id = ${businessId}
      ON CONFLICT DO NOTHING`
  )

/** Locks an account (docs/lock-order.md, step 12). */
export const lockAccount = (sql: SqlClient.SqlClient, userId: UserId) =>
  lockOrMake(
    sql`SELECT FROM account_locks WHERE user_id = ${userId} FOR NO KEY UPDATE`,
    sql`
      INSERT INTO account_locks (user_id) SELECT user_id FROM users WHERE user_id = ${userId} ON CONFLICT DO NOTHING`
  )
