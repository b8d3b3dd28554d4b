/** The bounds of what a claim may take, so that receivers that hang delay no others. */
import type { EndpointId } from "../kernel/Ids.ts"

/**
 * An attempt that has been under way for longer than this many seconds *hangs*. Hanging attempts do not count against the
 * bounds for recent ones, so that for each bound only receivers that hang longer than this can delay others.
 */
export const hangsAfterSeconds = 1

/**
 * Deliveries that each endpoint may have in flight even if its business or its host has as many hanging attempts as it
 * may. With the most endpoints that a business can have, these shares add up to `perBusiness`.
 */
export const reservedPerEndpoint = 2

/** How many deliveries may be in flight. All counts are over all dispatchers of the database. */
export interface ClaimBounds {
  /** Deliveries to claim at most. */
  readonly limit: number
  /** In flight at most for one endpoint. */
  readonly perEndpoint: number
  /** Other bounds than `perEndpoint` for some endpoints. */
  readonly limits?: ReadonlyMap<EndpointId, number> | undefined
  /** Recent ones at most for all endpoints of one business, and as many hanging ones; unbounded by default. */
  readonly perBusiness?: number | undefined
  /** Recent ones at most for all endpoints at one host, and as many hanging ones; unbounded by default. */
  readonly perHost?: number | undefined
}
