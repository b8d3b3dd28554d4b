/** Which deliveries a dispatcher claims: a fair share of each endpoint, however long their backlogs are. */
import type { BusinessId, EndpointId } from "../kernel/Ids.ts"
import { hasLapsed, isDue, isHeld, type Scheduled } from "./DeliverySchedule.ts"
import { maximumAttempts } from "./RetryPolicy.ts"

/** A delivery in the queue, with its endpoint. */
export interface Queued extends Scheduled {
  readonly businessId: BusinessId
  readonly endpointId: EndpointId
}

/** What a claim does to the deliveries that it found. */
export interface Selection<D> {
  readonly claimed: ReadonlyArray<D>
  /** To be failed without an attempt: of a disabled endpoint, or without a result of their last attempt. */
  readonly failed: ReadonlyArray<D>
  /** Cancelled before, with a claim that has lapsed since: only the claim is removed. */
  readonly abandoned: ReadonlyArray<D>
}

/** An endpoint with something due. */
interface DueEndpoint<D> {
  readonly endpointId: EndpointId
  readonly businessId: BusinessId
  readonly enabled: boolean
  readonly due: ReadonlyArray<D>
}

const byTime = (one: Scheduled, other: Scheduled) => (one.nextAttemptAt ?? 0) - (other.nextAttemptAt ?? 0)

/** Endpoints by id, from the one after `after` and round to it. */
const inTurn = (after: number) => (one: DueEndpoint<Queued>, other: DueEndpoint<Queued>) => {
  const wrapped = Number(one.endpointId <= after) - Number(other.endpointId <= after)
  return wrapped === 0 ? one.endpointId - other.endpointId : wrapped
}

const dueEndpoints = <D extends Queued>(
  due: ReadonlyArray<D>,
  isEnabled: (endpointId: EndpointId) => boolean
) =>
  [...Map.groupBy(due, ({ endpointId }) => endpointId)].flatMap(
    ([endpointId, deliveries]): Array<DueEndpoint<D>> => {
      const [first] = deliveries
      if (first === undefined) return []
      const { businessId } = first
      return [{ endpointId, businessId, enabled: isEnabled(endpointId), due: deliveries.sort(byTime) }]
    }
  )

/** Counts by id, up to a bound. */
const makeCounter = (bound: number) => {
  const counts = new Map<number, number>()
  return {
    add: (id: number) => counts.set(id, (counts.get(id) ?? 0) + 1),
    room: (id: number) => bound - (counts.get(id) ?? 0)
  }
}

/**
 * Selects at most `limit` deliveries. With those in flight already there are at most `perEndpoint` of one endpoint and
 * `perBusiness` of one business. Lapsed claims come first. The rest is shared evenly among the endpoints with something
 * due, and within a business among its own endpoints; each gives its earliest.
 */
export const select = <D extends Queued>(
  deliveries: ReadonlyArray<D>,
  options: {
    readonly now: number
    readonly limit: number
    readonly perEndpoint: number
    readonly perBusiness: number
    /** The endpoint that was served last, 0 at first. */
    readonly after: number
    readonly isEnabled: (endpointId: EndpointId) => boolean
  }
): Selection<D> => {
  const { after, isEnabled, limit, now } = options
  const claimed: Array<D> = []
  const failed: Array<D> = []
  const ofEndpoint = makeCounter(options.perEndpoint)
  const ofBusiness = makeCounter(options.perBusiness)
  const count = ({ businessId, endpointId }: D) => {
    ofEndpoint.add(endpointId)
    ofBusiness.add(businessId)
  }
  for (const delivery of deliveries) if (isHeld(delivery, now)) count(delivery)

  const unreported = deliveries.filter((delivery) => hasLapsed(delivery, now))
  const abandoned = unreported.filter(({ status }) => status !== "pending").slice(0, limit)
  const lapsed = unreported.filter(({ status }) => status === "pending").sort(byTime)
  for (const delivery of lapsed.slice(0, limit)) {
    if (!isEnabled(delivery.endpointId) || delivery.attempt >= maximumAttempts) failed.push(delivery)
    else if (ofEndpoint.room(delivery.endpointId) > 0 && ofBusiness.room(delivery.businessId) > 0) {
      count(delivery)
      claimed.push(delivery)
    }
  }

  const due = deliveries.filter((delivery) => isDue(delivery, now))
  const endpoints = dueEndpoints(due, isEnabled)
    .filter(
      ({ businessId, enabled, endpointId }) =>
        !enabled || (ofEndpoint.room(endpointId) > 0 && ofBusiness.room(businessId) > 0)
    )
    .sort(inTurn(after))
    .slice(0, limit)
  const share = Math.ceil(limit / endpoints.length)
  const byBusiness = Map.groupBy(
    endpoints.filter(({ enabled }) => enabled),
    ({ businessId }) => businessId
  )
  const next = endpoints.flatMap((endpoint) => {
    if (!endpoint.enabled) return endpoint.due.slice(0, limit)
    const sharing = byBusiness.get(endpoint.businessId) ?? [endpoint]
    const room = ofBusiness.room(endpoint.businessId)
    const own = Math.floor(room / sharing.length) + Number(sharing.indexOf(endpoint) < room % sharing.length)
    return endpoint.due.slice(0, Math.min(ofEndpoint.room(endpoint.endpointId), own, share))
  })
  for (const delivery of next.slice(0, limit - claimed.length))
    (isEnabled(delivery.endpointId) ? claimed : failed).push(delivery)
  return { claimed, failed, abandoned }
}
