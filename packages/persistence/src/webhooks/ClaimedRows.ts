/** SQL that finds the rows of claims. `r` is a row with the key of a delivery and a `claim_id`. */
import type { ClaimedDelivery } from "@livery/domain"

/** A claim of a delivery, by its key. */
export type ClaimKey = Pick<ClaimedDelivery, "businessId" | "endpointId" | "deliveryId" | "claimId">

/**
 * The delivery of `r` has the claim of `r`. Not "=", which lets the planner look the claim up in the index of claimed
 * deliveries. On a table that was analyzed without claims, that index seems cheaper than the key. But for each result it
 * would read the whole index, including all entries whose claim ended since the last vacuum.
 */
const hasClaim = `d.business_id = r.business_id AND d.endpoint_id = r.endpoint_id AND d.delivery_id = r.delivery_id
        AND d.claim_id IS NOT DISTINCT FROM r.claim_id`

/** Selects and locks the row `d` of the claim of `r`, unless another transaction has locked it. */
export const lockClaimed = (columns: string) => `
            SELECT ${columns} FROM webhook_deliveries d
            WHERE ${hasClaim}
            LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`

/**
 * Selects the row `d` that had the claim of `r` when the statement began. If such a row was not written, it is locked or
 * was changed since.
 */
export const hadClaim = `
      SELECT FROM webhook_deliveries d
      WHERE ${hasClaim} LIMIT 1`

/**
 * The row `d` is among those of a common table expression with `tid` (`ctid`). Each `tid` of a list is looked up on its
 * own. A join alone would compare each row of the table with each `tid` if the table was analyzed before its rows were
 * committed.
 */
export const isAmong = (name: string) => `d.ctid = ANY (ARRAY(SELECT tid FROM ${name}))`
