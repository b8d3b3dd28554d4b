import { Context } from "effect"
import type { SqlClient } from "effect/sql"

/** Whether statements that run in this context belong to an open transaction of the client. */
export const isInTransaction = (sql: SqlClient.SqlClient, context: Context.Context<never>): boolean =>
  Context.getOrUndefined(context, sql.transactionService) !== undefined
