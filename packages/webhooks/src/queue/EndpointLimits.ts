/**
 * Lowers the number of attempts in flight for endpoints whose receivers time out. Each timeout halves an endpoint's bound,
 * down to the share that every endpoint has for itself; each response raises it by one. So the backlog of a receiver that
 * never responds holds few slots for 15 s each, and a receiver that has recovered gets its bound back within seconds.
 */
import { type AttemptResult, type EndpointId, reservedPerEndpoint } from "@livery/domain"

/** Endpoints with a lowered bound at most: the map goes with each claim. The oldest is forgotten first. */
const keptAtMost = 1_000

/** Makes the bounds for one dispatcher. */
export const makeEndpointLimits = (perEndpoint: number) => {
  const lowest = Math.min(reservedPerEndpoint, perEndpoint)
  const limits = new Map<EndpointId, number>()
  return {
    /** The bounds of the endpoints that have a lower one than `perEndpoint`. */
    limits: limits as ReadonlyMap<EndpointId, number>,
    attempted: ({ delivery: { endpointId }, error, responseStatus }: AttemptResult): void => {
      const limit = limits.get(endpointId)
      if (responseStatus === null && error === "timeout") {
        limits.delete(endpointId)
        limits.set(endpointId, Math.max(Math.floor((limit ?? perEndpoint) / 2), lowest))
        const [oldest] = limits.keys()
        if (limits.size > keptAtMost && oldest !== undefined) limits.delete(oldest)
      } else if (limit !== undefined && responseStatus !== null) {
        if (limit + 1 >= perEndpoint) limits.delete(endpointId)
        else limits.set(endpointId, limit + 1)
      }
    }
  }
}
