/** The drivers' records of accounts, which are in any businesses. */
import { BusinessId, type UserId } from "@livery/domain"
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { rowsAs } from "../sql/rows/Rows.ts"
import { makeWriteForm } from "../sql/schema/WriteForm.ts"

const businesses = rowsAs(Schema.Struct({ business_id: BusinessId }))

/**
 * Gives the condition of the rows `d` of `drivers` that belong to accounts. A distributed database then asks only the nodes with
 * businesses in which these accounts are drivers, so that a person of another business does not wait for a node that is down.
 */
export const makeDriversOfAccounts = (sql: SqlClient.SqlClient) =>
  Effect.map(makeWriteForm(sql), (inForm) => (userIds: ReadonlyArray<UserId>) => {
    const ofAccounts = sql`d.user_id = ANY (${userIds}::bigint[])`
    return inForm<Statement.Fragment, never>({
      oneStatement: Effect.succeed(ofAccounts),
      plain: Effect.map(
        businesses(sql`
          SELECT DISTINCT business_id FROM driver_accounts WHERE user_id = ANY (${userIds}::bigint[])`),
        (found) =>
          sql`${ofAccounts} AND d.business_id = ANY (${found.map(({ business_id }) => business_id)}::bigint[])`
      )
    })
  })
