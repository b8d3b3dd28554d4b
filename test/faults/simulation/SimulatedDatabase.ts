/**
 * The simulated database. It checks every write and every POST against the invariants of deliveries.
 *
 * Changes and events are stored separately, so that a check can find one without the other.
 */
import {
  type BusinessId,
  type ClaimSelection,
  deliveryMachine,
  DeliverySchedule,
  type Endpoint,
  type EventType,
  RetryPolicy
} from "@livery/domain"

/** A delivery of the simulation. */
export interface Row extends ClaimSelection.Queued {
  readonly deliveryId: number
  readonly eventId: number
}

/** The change of a transaction. */
export interface Change {
  readonly id: number
  readonly businessId: BusinessId
  readonly type: EventType
}

interface Post {
  readonly start: number
  readonly end: number
  /** The seconds of the response's `Retry-After`; 0 until the result is written. */
  retryAfter: number
}

/** An invariant does not hold. The message states the invariant. */
export class InvariantBroken extends Error {}

const require = (holds: boolean, invariant: string) => {
  if (!holds) throw new InvariantBroken(invariant)
}

export const makeSimulatedDatabase = (endpoints: ReadonlyArray<Endpoint>) => {
  const changes = new Map<number, Change>()
  const events = new Map<number, Change>()
  const rows: Array<Row> = []
  const posts = new Map<number, Array<Post>>()

  const endpointOf = (row: Row) => {
    const endpoint = endpoints.find(({ endpoint_id }) => endpoint_id === row.endpointId)
    if (endpoint === undefined) throw new InvariantBroken("a delivery has an endpoint")
    return endpoint
  }

  /** Writes the change, its event, and a delivery for each endpoint that subscribes to it. */
  const commit = (change: Change, now: number) => {
    changes.set(change.id, change)
    events.set(change.id, change)
    for (const endpoint of endpoints)
      if (DeliverySchedule.isSubscribed(endpoint, change))
        rows.push({
          ...DeliverySchedule.created(now),
          deliveryId: rows.length,
          businessId: endpoint.business_id,
          endpointId: endpoint.endpoint_id,
          eventId: change.id
        })
  }

  /** Replaces a row by its next state. Returns whether anything changed. */
  const write = (next: Row): boolean => {
    const before = rows[next.deliveryId]
    if (before === undefined) throw new InvariantBroken("a delivery is written with its event, never later")
    if (before === next) return false
    require(before.status === next.status ||
      deliveryMachine.can(before.status, next.status), `${before.status} does not become ${next.status}`)
    require(before.status === "pending" ||
      (before.status === next.status && next.nextAttemptAt === null), "a final state is kept")
    require(next.attempt <= RetryPolicy.maxAttempts, "there are at most six attempts")
    require(Math.abs(next.attempt - before.attempt) <= 1, "attempts are counted one by one")
    require(next.businessId === before.businessId &&
      next.eventId === before.eventId, "a delivery keeps its event and its business")
    require((next.status === "pending") ===
      (next.nextAttemptAt !== null), "a delivery has a time if and only if it is pending")
    rows[next.deliveryId] = next
    return true
  }

  /** Records a POST, or the attempt of one. */
  const posted = (deliveryId: number, start: number, end: number): Post => {
    const row = rows[deliveryId]
    if (row === undefined) throw new InvariantBroken("only committed deliveries are sent")
    const made = posts.get(deliveryId) ?? []
    require(made.length < RetryPolicy.maxAttempts, "no receiver sees a seventh POST")
    const last = made.at(-1)
    if (last !== undefined) {
      const floor = RetryPolicy.minimumWaits[made.length - 1] ?? 0
      require(start - last.end >= floor, `POST ${made.length + 1} comes ${start - last.end} s after the last`)
      require(start - last.end >=
        Math.min(
          last.retryAfter,
          RetryPolicy.maxRetryAfterSeconds
        ), "a POST waits for the time in Retry-After")
    }
    require(endpointOf(row).business_id === row.businessId, "a delivery goes to its own business")
    require(events.get(row.eventId)?.businessId === row.businessId, "an event stays in its own business")
    const post = { start, end, retryAfter: 0 }
    posts.set(deliveryId, [...made, post])
    return post
  }

  /** Checks the invariants of every moment. */
  const verify = () => require(changes.size === events.size, "an event exists if and only if its change does")

  /** Checks the invariants of the end, after faults have stopped. */
  const verifyEnd = () => {
    for (const id of events.keys()) require(changes.has(id), "no event without its change")
    for (const row of rows) require(row.status !== "pending", `delivery ${row.deliveryId} ends`)
    for (const row of rows) require(row.claimId === null, `delivery ${row.deliveryId} is released`)
    for (const row of rows)
      if (row.status === "delivered") require(posts.has(row.deliveryId), "a delivered delivery was sent")
  }

  return { rows, commit, write, posted, verify, verifyEnd }
}
