/** The statement that releases claims without counting their attempts. */
import type { SqlClient } from "effect/sql"
import { pgArray } from "../sql/statements/Parameters.ts"
import { type ClaimKey, hadClaim, isAmong, lockClaimed } from "./ClaimedRows.ts"
import { deliveryStatus } from "./StatusConditions.ts"

/** Releases the claims, except those of locked deliveries. Returns the numbers of the latter, counted from 1. */
export const releaseStatement = (sql: SqlClient.SqlClient, claims: ReadonlyArray<ClaimKey>) => sql<{
  nth: number
}>`
        WITH claims AS MATERIALIZED (
          SELECT * FROM unnest(
            ${pgArray(claims.map(({ businessId }) => businessId))}::bigint[],
            ${pgArray(claims.map(({ endpointId }) => endpointId))}::bigint[],
            ${pgArray(claims.map(({ deliveryId }) => deliveryId))}::bigint[],
            ${pgArray(claims.map(({ claimId }) => claimId))}::uuid[]
          ) WITH ORDINALITY AS r (business_id, endpoint_id, delivery_id, claim_id, nth)
        ),
        releasable AS (
          SELECT d.ctid AS tid FROM claims r CROSS JOIN LATERAL (${sql.literal(lockClaimed("d.ctid"))}) d
        ),
        released AS (
          UPDATE webhook_deliveries d
          SET attempt = d.attempt - 1, claim_id = NULL,
            next_attempt_at = CASE WHEN d.status = ${sql.literal(deliveryStatus.pending)} THEN clock_timestamp() END
          WHERE ${sql.literal(isAmong("releasable"))}
          RETURNING d.delivery_id
        ),
        unreleased AS MATERIALIZED (
          SELECT * FROM claims r WHERE NOT EXISTS (SELECT FROM released d WHERE d.delivery_id = r.delivery_id)
        )
        SELECT r.nth::int FROM unreleased r CROSS JOIN LATERAL (${sql.literal(hadClaim)}) d`
