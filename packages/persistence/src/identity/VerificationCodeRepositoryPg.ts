import { Array, DateTime, Effect, Schema } from "effect"
import { type CodePurpose, isNewestOnly, UserId, VerificationCodeRepository } from "@livery/domain"
import { execute, instant, rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const ids = rowsAs(Schema.Struct({ user_id: UserId }))
/** The user id of the first row, if there is one. */
const userIdFrom = <E>(statement: Effect.Effect<ReadonlyArray<object>, E>) =>
  Effect.map(ids(statement), (rows) => Array.head(Array.map(rows, ({ user_id }) => user_id)))

/** Codes as hashes in the table `verification_codes`. Issuing one deletes up to ten that expired a week ago. */
export const layer = onPostgres(VerificationCodeRepository, (sql) => {
  const isNewest = sql`
    AND c.code_id = (
      SELECT max(newest.code_id) FROM verification_codes newest
      WHERE newest.user_id = c.user_id AND newest.purpose = c.purpose)`
  const isValid = (codeHash: string, purpose: CodePurpose, now: DateTime.Utc) => sql`
    c.code_hash = ${codeHash} AND c.purpose = ${purpose} AND c.used_at IS NULL AND c.expires_at > ${instant(now)}
    AND c.user_id IS NOT NULL ${isNewestOnly(purpose) ? isNewest : sql``}`

  return {
    // Earlier codes are not changed: the use of a code checks whether it is the newest. So issuing does the same work
    // whether or not the user exists.
    issue: Effect.fnUntraced(function* ({ codeHash, expiresAt, purpose, userId }) {
      const now = instant(yield* DateTime.now)
      yield* Effect.orDie(sql`
        WITH expired AS (
          DELETE FROM verification_codes WHERE code_hash IN (
            SELECT code_hash FROM verification_codes
            WHERE expires_at < ${now}::timestamptz - interval '7 days'
            ORDER BY expires_at LIMIT 10 FOR UPDATE SKIP LOCKED)
        )
        INSERT INTO verification_codes (code_hash, user_id, purpose, expires_at, created_at)
        VALUES (${codeHash}, ${userId}, ${purpose}, ${instant(expiresAt)}, ${now})`)
    }),
    ownerOf: (codeHash, purpose, now) =>
      userIdFrom(sql`SELECT c.user_id FROM verification_codes c WHERE ${isValid(codeHash, purpose, now)}`),
    redeem: (codeHash, purpose, now) =>
      userIdFrom(sql`
        UPDATE verification_codes c SET used_at = ${instant(now)} WHERE ${isValid(codeHash, purpose, now)}
        RETURNING c.user_id`),
    void: (userId, purpose, now) =>
      execute(sql`
          UPDATE verification_codes SET used_at = ${instant(now)}
          WHERE user_id = ${userId} AND purpose = ${purpose} AND used_at IS NULL`)
  }
})
