/** The limits of a claim, which prevent hanging receivers from delaying others. */
import type { EndpointId } from "../kernel/Ids.ts"

/**
 * An attempt that has been running for longer than this many seconds *hangs*. Each limit counts hanging attempts apart
 * from recent ones, so only receivers that take longer than this can delay others.
 */
export const hangsAfterSeconds = 1

/**
 * Deliveries that each endpoint may have in flight even if its business or its host has reached its limit of hanging
 * attempts. With the most endpoints that a business can have, these shares add up to `perBusiness`.
 */
export const reservedPerEndpoint = 2

/** The limits of deliveries in flight. All counts are across all dispatchers of the database. */
export interface ClaimBounds {
  /** The most deliveries to claim. */
  readonly limit: number
  /** The most in flight for one endpoint. */
  readonly perEndpoint: number
  /** Limits that replace `perEndpoint` for some endpoints. */
  readonly limits?: ReadonlyMap<EndpointId, number> | undefined
  /** The most recent ones for all endpoints of one business, and the most hanging ones; unlimited by default. */
  readonly perBusiness?: number | undefined
  /** The most recent ones for all endpoints at one host, and the most hanging ones; unlimited by default. */
  readonly perHost?: number | undefined
}
