/** Drivers as callers of use cases. */
import type { ActingBusiness } from "../../business/Business.ts"
import type { AssignmentId, DriverId, TripId } from "../../kernel/Ids.ts"

/** A driver, and the business that the driver works for. */
export interface ActingDriver {
  readonly driver_id: DriverId
  readonly business: ActingBusiness
}

/** A driver who acts on one assignment by its token, without an account. */
export interface AssignedDriver extends ActingDriver {
  readonly trip_id: TripId
  readonly assignment_id: AssignmentId
  /** The SHA-256 of the token, in hex. A write that requires it happens only while the token is valid. */
  readonly token_hash: string
}
