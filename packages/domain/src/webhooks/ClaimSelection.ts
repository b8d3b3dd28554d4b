/**
 * Selects the deliveries that a dispatcher claims: a fair share for each endpoint, regardless of the length of
 * its backlog.
 */
import type { BusinessId, EndpointId } from "../kernel/Ids.ts"
import { type ClaimBounds, hangsAfterSeconds, reservedPerEndpoint } from "./ClaimBounds.ts"
import { isPending } from "./Delivery.ts"
import { claimedAt, hasExpired, isDue, isHeld, type Scheduled } from "./DeliverySchedule.ts"
import { maxAttempts } from "./RetryPolicy.ts"

/** A delivery in the queue, with its endpoint. */
export interface Queued extends Scheduled {
  readonly businessId: BusinessId
  readonly endpointId: EndpointId
}

/** The fields of an endpoint that a claim needs. */
export interface EndpointToServe {
  readonly enabled: boolean
  readonly host: string
}

/** The result of a claim: what happens to each selected delivery. */
export interface Selection<D> {
  readonly claimed: ReadonlyArray<D>
  /** Expired claims to remove, so that the next claim can take the deliveries. */
  readonly expired: ReadonlyArray<D>
  /** To be failed without an attempt: its endpoint is disabled, or the result of its last attempt is missing. */
  readonly failed: ReadonlyArray<D>
  /** Cancelled deliveries whose claim has expired since: only the claim is removed. */
  readonly abandoned: ReadonlyArray<D>
}

/** An endpoint with due deliveries. */
interface DueEndpoint<D> extends EndpointToServe {
  readonly endpointId: EndpointId
  readonly businessId: BusinessId
  readonly due: ReadonlyArray<D>
}

const byTime = (one: Scheduled, other: Scheduled) => (one.nextAttemptAt ?? 0) - (other.nextAttemptAt ?? 0)

/** Endpoints in order of id, starting after `after` and wrapping around. */
const inTurn = (after: number) => (one: DueEndpoint<Queued>, other: DueEndpoint<Queued>) => {
  const wrapped = Number(one.endpointId <= after) - Number(other.endpointId <= after)
  return wrapped === 0 ? one.endpointId - other.endpointId : wrapped
}

const dueEndpoints = <D extends Queued>(
  due: ReadonlyArray<D>,
  endpointOf: (endpointId: EndpointId) => EndpointToServe
) =>
  [...Map.groupBy(due, ({ endpointId }) => endpointId)].flatMap(
    ([endpointId, deliveries]): Array<DueEndpoint<D>> => {
      const [first] = deliveries
      if (first === undefined) return []
      const { businessId } = first
      return [{ ...endpointOf(endpointId), endpointId, businessId, due: deliveries.sort(byTime) }]
    }
  )

/** Counts the deliveries in flight for each key, with hanging ones separately. */
const countInFlight = <D, K>(
  deliveries: ReadonlyArray<D>,
  keyOf: (delivery: D) => K,
  hangs: (delivery: D) => boolean
) => {
  const counts = new Map<K, { recent: number; hanging: number }>()
  for (const delivery of deliveries) {
    const key = keyOf(delivery)
    const count = counts.get(key) ?? { recent: 0, hanging: 0 }
    count[hangs(delivery) ? "hanging" : "recent"] += 1
    counts.set(key, count)
  }
  return (key: K) => counts.get(key) ?? { recent: 0, hanging: 0 }
}

/** An even share of `room`; the first shares get the remainder. */
const shareOf = <E>(room: number, endpoint: E, sharing: ReadonlyArray<E>) =>
  Math.floor(room / sharing.length) + Number(sharing.indexOf(endpoint) < room % sharing.length)

/** The options of {@link select}. */
export interface SelectionOptions extends ClaimBounds {
  readonly now: number
  /** The endpoint that was served last, 0 at first. */
  readonly after: number
  readonly endpointOf: (endpointId: EndpointId) => EndpointToServe
}

/** The deliveries that the limits still allow: by an endpoint's own limit, and by those of its business and its host. */
const roomWithin = (deliveries: ReadonlyArray<Queued>, options: SelectionOptions) => {
  const { endpointOf, limits, now, perEndpoint } = options
  const { perBusiness = Number.MAX_SAFE_INTEGER, perHost = Number.MAX_SAFE_INTEGER } = options
  const inFlight = deliveries.filter((delivery) => isHeld(delivery, now))
  const hangs = (delivery: Queued) => now - (claimedAt(delivery) ?? now) >= hangsAfterSeconds
  const ofEndpoint = countInFlight(inFlight, ({ endpointId }) => endpointId, hangs)
  const ofBusiness = countInFlight(inFlight, ({ businessId }) => businessId, hangs)
  const ofHost = countInFlight(inFlight, ({ endpointId }) => endpointOf(endpointId).host, hangs)
  return {
    endpointRoom: ({ businessId, endpointId, host }: DueEndpoint<Queued>) => {
      const { hanging, recent } = ofEndpoint(endpointId)
      const isCrowded = ofBusiness(businessId).hanging >= perBusiness || ofHost(host).hanging >= perHost
      const bound = limits?.get(endpointId) ?? perEndpoint
      return (isCrowded ? Math.min(bound, reservedPerEndpoint) : bound) - hanging - recent
    },
    businessRoom: ({ businessId }: DueEndpoint<Queued>) => perBusiness - ofBusiness(businessId).recent,
    hostRoom: ({ host }: DueEndpoint<Queued>) => perHost - ofHost(host).recent
  }
}

/** The due deliveries to take next: a fair share for each endpoint, and those of disabled endpoints. */
const dueShares = <D extends Queued>(
  deliveries: ReadonlyArray<D>,
  options: SelectionOptions
): ReadonlyArray<D> => {
  const { after, endpointOf, limit, now } = options
  const { businessRoom, endpointRoom, hostRoom } = roomWithin(deliveries, options)
  const due = deliveries.filter((delivery) => isDue(delivery, now))
  const endpoints = dueEndpoints(due, endpointOf)
    .filter(
      (endpoint) =>
        !endpoint.enabled ||
        (endpointRoom(endpoint) > 0 && businessRoom(endpoint) > 0 && hostRoom(endpoint) > 0)
    )
    .sort(inTurn(after))
    .slice(0, limit)
  const enabled = endpoints.filter((endpoint) => endpoint.enabled)
  const share = Math.ceil(limit / endpoints.length)
  return endpoints.flatMap((endpoint) => {
    if (!endpoint.enabled) return endpoint.due.slice(0, limit)
    const ofSameBusiness = enabled.filter(({ businessId }) => businessId === endpoint.businessId)
    const atSameHost = enabled.filter(({ host }) => host === endpoint.host)
    return endpoint.due.slice(
      0,
      Math.min(
        endpointRoom(endpoint),
        shareOf(businessRoom(endpoint), endpoint, ofSameBusiness),
        shareOf(hostRoom(endpoint), endpoint, atSameHost),
        share
      )
    )
  })
}

/**
 * Selects at most `limit` due deliveries within the limits. They are shared evenly among the endpoints with due
 * deliveries, and the free part of a business's or host's limit among its endpoints. Each endpoint's earliest
 * deliveries are selected. While there are expired claims, up to `limit` of them are removed instead, so that
 * their deliveries come first.
 */
export const select = <D extends Queued>(
  deliveries: ReadonlyArray<D>,
  options: SelectionOptions
): Selection<D> => {
  const { endpointOf, limit, now } = options
  const unreported = deliveries.filter((delivery) => hasExpired(delivery, now))
  const abandoned = unreported.filter((delivery) => !isPending(delivery)).slice(0, limit)
  const pending = unreported.filter(isPending).sort(byTime).slice(0, limit)
  const isEnabled = ({ endpointId }: D) => endpointOf(endpointId).enabled
  const isOver = (delivery: D) => !isEnabled(delivery) || delivery.attempt >= maxAttempts
  const expired = pending.filter((delivery) => !isOver(delivery))
  const taken = dueShares(deliveries, options)
    .filter((delivery) => !isEnabled(delivery) || expired.length === 0)
    .slice(0, limit)
  return {
    claimed: taken.filter(isEnabled),
    expired,
    failed: [...taken.filter((delivery) => !isEnabled(delivery)), ...pending.filter(isOver)],
    abandoned
  }
}
