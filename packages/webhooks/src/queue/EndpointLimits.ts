/**
 * Lowers the limit of attempts in flight for endpoints whose receivers time out. Each timeout halves an endpoint's
 * limit, down to the share that is reserved for every endpoint; each response raises it by one. So the backlog of a
 * receiver that never responds takes few slots for 15 s each, and a recovered receiver gets its limit back within
 * seconds.
 */
import { type AttemptResult, type EndpointId, reservedPerEndpoint } from "@livery/domain"

/** The most endpoints with a lowered limit, because the map is sent with each claim. The oldest is removed first. */
const maxCachedLimits = 1_000

/** Makes the limits for one dispatcher. */
export const makeEndpointLimits = (perEndpoint: number) => {
  const lowest = Math.min(reservedPerEndpoint, perEndpoint)
  const limits = new Map<EndpointId, number>()
  return {
    /** The limits of the endpoints whose limit is lower than `perEndpoint`. */
    limits: limits as ReadonlyMap<EndpointId, number>,
    attempted: ({ delivery: { endpointId }, error, responseStatus }: AttemptResult): void => {
      const limit = limits.get(endpointId)
      if (responseStatus === null && error === "timeout") {
        limits.delete(endpointId)
        limits.set(endpointId, Math.max(Math.floor((limit ?? perEndpoint) / 2), lowest))
        const [oldest] = limits.keys()
        if (limits.size > maxCachedLimits && oldest !== undefined) limits.delete(oldest)
      } else if (limit !== undefined && responseStatus !== null) {
        if (limit + 1 >= perEndpoint) limits.delete(endpointId)
        else limits.set(endpointId, limit + 1)
      }
    }
  }
}
