/**
 * Lowers the limit of attempts in flight for endpoints whose receivers time out. Each timeout halves an endpoint's
 * limit, down to the share that is reserved for every endpoint; each response raises it by one. So the backlog of a
 * receiver that never responds takes few slots for 15 s each, and a recovered receiver gets its limit back within
 * seconds. With a limit of 20 and a reserved share of 2: 20, 10, 5, 2, 2 after four timeouts, then 3, 4, 5 … after
 * responses.
 */
import { type AttemptResult, type EndpointId, reservedPerEndpoint } from "@livery/domain"

/** The most endpoints with a lowered limit: the map is sent with each claim. The oldest entry is removed first. */
const maxLoweredLimits = 1_000

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
        if (limits.size > maxLoweredLimits && oldest !== undefined) limits.delete(oldest)
      } else if (limit !== undefined && responseStatus !== null) {
        if (limit + 1 >= perEndpoint) limits.delete(endpointId)
        else limits.set(endpointId, limit + 1)
      }
    }
  }
}
