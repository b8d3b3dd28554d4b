/**
 * The email credits of businesses. The balance is `businesses.email_credits` plus what the business's row in
 * `business_counters` adds or subtracts. Only that row changes, because `businesses` is copied to each node of a distributed
 * database.
 */
import type { BusinessId } from "@livery/domain"
import { Effect, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { execute, rowsAs } from "./rows/Rows.ts"
import { lockBusiness } from "./statements/BusinessLock.ts"

const balances = rowsAs(Schema.Struct({ email_credits: Schema.Int }))
const changes = rowsAs(Schema.Struct({ business_id: Schema.Int, email_credits_change: Schema.Int }))

/** The balance in SQL, from `businesses b` and `LEFT JOIN business_counters c`. */
export const balance = "b.email_credits + coalesce(c.email_credits_change, 0)"

/** Makes the functions that read and change the balance of a business. */
export const makeEmailCredits = (sql: SqlClient.SqlClient) => {
  const change = (businessId: BusinessId) =>
    balances(sql`
      UPDATE business_counters c SET email_credits_change = c.email_credits_change - 1
      FROM businesses b
      WHERE b.business_id = ${businessId} AND c.business_id = ${businessId}
        AND b.email_credits + c.email_credits_change > 0
      RETURNING b.email_credits + c.email_credits_change AS email_credits`)

  return {
    /** Takes a credit, and returns how many are left; `None` if there was none. */
    take: Effect.fnUntraced(function* (businessId: BusinessId) {
      const [taken] = yield* change(businessId)
      if (taken !== undefined) return Option.some(taken.email_credits)
      // The business may have no row yet.
      yield* execute(lockBusiness(sql, businessId))
      const [left] = yield* change(businessId)
      return Option.fromUndefinedOr(left?.email_credits)
    }),

    /** Gives a credit back. */
    giveBack: Effect.fnUntraced(function* (businessId: BusinessId) {
      yield* execute(sql`
        INSERT INTO business_counters AS c (business_id, email_credits_change) VALUES (${businessId}, 1)
        ON CONFLICT (business_id) DO UPDATE SET email_credits_change = c.email_credits_change + 1`)
    }),

    /** Sets the balance of a business, which it locks. */
    set: Effect.fnUntraced(function* (businessId: BusinessId, credits: number) {
      yield* execute(lockBusiness(sql, businessId))
      yield* execute(sql`
        UPDATE business_counters c SET email_credits_change = ${credits}::int - b.email_credits
        FROM businesses b WHERE b.business_id = ${businessId} AND c.business_id = ${businessId}`)
    }),

    /** These businesses with their balances in place of the column of `businesses`. */
    withBalances: Effect.fnUntraced(function* <
      B extends { readonly business_id: BusinessId; readonly email_credits: number }
    >(businesses: ReadonlyArray<B>) {
      if (businesses.length === 0) return businesses
      const ids = businesses.map(({ business_id }) => business_id)
      const found = yield* changes(sql`
        SELECT business_id, email_credits_change FROM business_counters WHERE business_id = ANY (${ids}::bigint[])`)
      const byBusiness = new Map(found.map((row) => [row.business_id, row.email_credits_change]))
      return businesses.map((business): B => ({
        ...business,
        email_credits: business.email_credits + (byBusiness.get(business.business_id) ?? 0)
      }))
    })
  }
}
