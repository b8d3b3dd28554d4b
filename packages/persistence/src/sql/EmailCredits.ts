/**
 * The email credits of businesses. The balance is in the business's row of `business_counters`, because `businesses` is copied to
 * each node of a distributed database. A business without a row has no credits.
 */
import type { BusinessId } from "@livery/domain"
import { Effect, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { execute, firstOf, rowsAs } from "./rows/Rows.ts"

const balances = rowsAs(Schema.Struct({ business_id: Schema.Int, email_credits: Schema.Int }))

/** The balance in SQL, from `LEFT JOIN business_counters c`. */
export const balance = "coalesce(c.email_credits_change, 0)"

/** Makes the functions that read and change the balance of a business. */
export const makeEmailCredits = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal("business_id, email_credits_change AS email_credits")
  return {
    /** Takes a credit, and returns how many are left; `None` if there was none. */
    take: (businessId: BusinessId) =>
      Effect.map(
        firstOf(
          balances(sql`
            UPDATE business_counters SET email_credits_change = email_credits_change - 1
            WHERE business_id = ${businessId} AND email_credits_change > 0 RETURNING ${columns}`)
        ),
        Option.map(({ email_credits }) => email_credits)
      ),

    /** Gives a credit back. */
    giveBack: (businessId: BusinessId) =>
      execute(sql`
        INSERT INTO business_counters AS c (business_id, email_credits_change) VALUES (${businessId}, 1)
        ON CONFLICT (business_id) DO UPDATE SET email_credits_change = c.email_credits_change + 1`),

    /** Sets the balance of a business. */
    set: (businessId: BusinessId, credits: number) =>
      execute(sql`
        INSERT INTO business_counters (business_id, email_credits_change) VALUES (${businessId}, ${credits})
        ON CONFLICT (business_id) DO UPDATE SET email_credits_change = excluded.email_credits_change`),

    /** These businesses with their balances. */
    withBalances: Effect.fnUntraced(function* <B extends { readonly business_id: BusinessId }>(
      businesses: ReadonlyArray<B>
    ) {
      if (businesses.length === 0) return []
      const ids = businesses.map(({ business_id }) => business_id)
      const found = yield* balances(sql`
        SELECT ${columns} FROM business_counters WHERE business_id = ANY (${ids}::bigint[])`)
      const byBusiness = new Map(found.map((row) => [row.business_id, row.email_credits]))
      return businesses.map((business) => ({
        ...business,
        email_credits: byBusiness.get(business.business_id) ?? 0
      }))
    })
  }
}
