/** Which deliveries a dispatcher takes when it looks: fairly over endpoints, whatever their backlogs. */
import type { BusinessId, EndpointId } from "../kernel/Ids.ts"
import { hasLapsed, isDue, isHeld, type Scheduled } from "./DeliverySchedule.ts"
import { maximumAttempts } from "./RetryPolicy.ts"

/** A delivery of an endpoint, as the choice sees it. */
export interface Queued extends Scheduled {
  readonly businessId: BusinessId
  readonly endpointId: EndpointId
}

/** What a look comes to. */
export interface Choice<D> {
  /** To be claimed. */
  readonly taken: ReadonlyArray<D>
  /** To be failed unsent: of a disabled endpoint, or silent in their last attempt. */
  readonly givenUp: ReadonlyArray<D>
  /** To be let go of: cancelled before, with a claim that has lapsed since. */
  readonly forsaken: ReadonlyArray<D>
}

const byTime = (one: Scheduled, other: Scheduled) => (one.nextAttemptAt ?? 0) - (other.nextAttemptAt ?? 0)

/** Endpoints by number, beginning after the one that was served last, and round to it. */
const inTurn = (after: number) => (one: Lane<Queued>, other: Lane<Queued>) => {
  const behind = Number(one.endpointId <= after) - Number(other.endpointId <= after)
  return behind === 0 ? one.endpointId - other.endpointId : behind
}

/** An endpoint with something due. */
interface Lane<D> {
  readonly endpointId: EndpointId
  readonly businessId: BusinessId
  readonly enabled: boolean
  readonly due: ReadonlyArray<D>
}

const lanesOf = <D extends Queued>(due: ReadonlyArray<D>, isEnabled: (endpointId: EndpointId) => boolean) =>
  [...Map.groupBy(due, ({ endpointId }) => endpointId)].flatMap(
    ([endpointId, deliveries]): Array<Lane<D>> => {
      const [first] = deliveries
      if (first === undefined) return []
      const { businessId } = first
      return [{ endpointId, businessId, enabled: isEnabled(endpointId), due: deliveries.sort(byTime) }]
    }
  )

/** How many there are of each kind, and how many more of it there may be. */
const tally = (bound: number) => {
  const counts = new Map<number, number>()
  return {
    add: (kind: number) => counts.set(kind, (counts.get(kind) ?? 0) + 1),
    room: (kind: number) => bound - (counts.get(kind) ?? 0)
  }
}

/**
 * At most `limit` deliveries; of one endpoint at most `perEndpoint`, and of one business at most `perBusiness`, with
 * those that are held already. Lapsed claims come first; the rest is shared evenly by the endpoints that have
 * something due, and within a business by its own, each giving its earliest.
 */
export const choose = <D extends Queued>(
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
): Choice<D> => {
  const { after, isEnabled, limit, now } = options
  const taken: Array<D> = []
  const givenUp: Array<D> = []
  const ofEndpoint = tally(options.perEndpoint)
  const ofBusiness = tally(options.perBusiness)
  const count = ({ businessId, endpointId }: D) => {
    ofEndpoint.add(endpointId)
    ofBusiness.add(businessId)
  }
  for (const delivery of deliveries) if (isHeld(delivery, now)) count(delivery)

  const silent = deliveries.filter((delivery) => hasLapsed(delivery, now))
  const forsaken = silent.filter(({ status }) => status !== "pending").slice(0, limit)
  const lapsed = silent.filter(({ status }) => status === "pending").sort(byTime)
  for (const delivery of lapsed.slice(0, limit)) {
    if (!isEnabled(delivery.endpointId) || delivery.attempt >= maximumAttempts) givenUp.push(delivery)
    else if (ofEndpoint.room(delivery.endpointId) > 0 && ofBusiness.room(delivery.businessId) > 0) {
      count(delivery)
      taken.push(delivery)
    }
  }

  const due = deliveries.filter((delivery) => isDue(delivery, now))
  const lanes = lanesOf(due, isEnabled)
    .filter(
      ({ businessId, enabled, endpointId }) =>
        !enabled || (ofEndpoint.room(endpointId) > 0 && ofBusiness.room(businessId) > 0)
    )
    .sort(inTurn(after))
    .slice(0, limit)
  const share = Math.ceil(limit / lanes.length)
  const sharers = Map.groupBy(
    lanes.filter(({ enabled }) => enabled),
    ({ businessId }) => businessId
  )
  const next = lanes.flatMap((lane) => {
    if (!lane.enabled) return lane.due.slice(0, limit)
    const beside = sharers.get(lane.businessId) ?? [lane]
    const room = ofBusiness.room(lane.businessId)
    const own = Math.floor(room / beside.length) + Number(beside.indexOf(lane) < room % beside.length)
    return lane.due.slice(0, Math.min(ofEndpoint.room(lane.endpointId), own, share))
  })
  for (const delivery of next.slice(0, limit - taken.length))
    (isEnabled(delivery.endpointId) ? taken : givenUp).push(delivery)
  return { taken, givenUp, forsaken }
}
