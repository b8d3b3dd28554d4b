import type { ClaimedDelivery } from "@livery/domain"
import type { Moment } from "./ElapsedTime.ts"

/** A claimed delivery, and when its claim was requested: the lease begins after that. */
export interface TimedClaim {
  readonly delivery: ClaimedDelivery
  readonly claimedAt: Moment
}
