/**
 * SQL for the statuses of deliveries, called `d`, and of endpoints, called `e`. The texts equal the conditions of the
 * partial indexes, so that the planner can choose those.
 */
import { deliveryMachine, endpointMachine } from "@livery/domain"
import { stateLiterals } from "../sql/rows/States.ts"

/** The statuses of a delivery as SQL literals. */
export const deliveryStatus = stateLiterals(deliveryMachine)

/** The statuses of an endpoint as SQL literals. */
export const endpointStatus = stateLiterals(endpointMachine)

/** The delivery is due now or later, and no dispatcher has claimed it. */
export const isWaiting = `d.status = ${deliveryStatus.pending} AND d.claim_id IS NULL`

/** A dispatcher has claimed the delivery, or did before it stopped. */
export const isClaimed = `d.status = ${deliveryStatus.pending} AND d.claim_id IS NOT NULL`

/** The endpoint receives events. */
export const isEnabled = `e.status = ${endpointStatus.enabled}`
