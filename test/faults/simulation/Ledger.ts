/**
 * The database of the simulation, and the judge: nothing gets past it that breaks a promise.
 *
 * Changes and events are kept apart, so that one without the other shows.
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

/** What a transaction would write. */
export interface Change {
  readonly id: number
  readonly businessId: BusinessId
  readonly type: EventType
}

interface Post {
  readonly start: number
  readonly end: number
  /** Seconds that the receiver asked for with its answer, once that was written. */
  asked: number
}

/** A promise was broken. */
export class Broken extends Error {}

const isIt = (holds: boolean, promise: string) => {
  if (!holds) throw new Broken(promise)
}

export const makeLedger = (endpoints: ReadonlyArray<Endpoint>) => {
  const changes = new Map<number, Change>()
  const events = new Map<number, Change>()
  const rows: Array<Row> = []
  const posts = new Map<number, Array<Post>>()

  const endpointOf = (row: Row) => {
    const endpoint = endpoints.find(({ endpoint_id }) => endpoint_id === row.endpointId)
    if (endpoint === undefined) throw new Broken("a delivery has an endpoint")
    return endpoint
  }

  /** All or nothing: the change, its event, and a delivery for each that hears it. */
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

  /** Puts the next state in the place of a row's; gives whether anything changed. */
  const write = (next: Row): boolean => {
    const before = rows[next.deliveryId]
    if (before === undefined) throw new Broken("a delivery is written with its event, never later")
    if (before === next) return false
    isIt(
      before.status === next.status || deliveryMachine.can(before.status, next.status),
      `${before.status} does not become ${next.status}`
    )
    isIt(
      before.status === "pending" || (before.status === next.status && next.nextAttemptAt === null),
      "what is final stays as it is"
    )
    isIt(next.attempt <= RetryPolicy.maxAttempts, "there are at most six attempts")
    isIt(Math.abs(next.attempt - before.attempt) <= 1, "attempts are counted one by one")
    isIt(
      next.businessId === before.businessId && next.eventId === before.eventId,
      "a delivery stays what it is"
    )
    isIt((next.status === "pending") === (next.nextAttemptAt !== null), "what is pending has a time")
    rows[next.deliveryId] = next
    return true
  }

  /** A POST reached a receiver, or tried to. */
  const posted = (deliveryId: number, start: number, end: number): Post => {
    const row = rows[deliveryId]
    if (row === undefined) throw new Broken("only what was committed is sent")
    const made = posts.get(deliveryId) ?? []
    isIt(made.length < RetryPolicy.maxAttempts, "no receiver sees a seventh POST")
    const last = made.at(-1)
    if (last !== undefined) {
      const floor = RetryPolicy.minimumWaits[made.length - 1] ?? 0
      isIt(start - last.end >= floor, `POST ${made.length + 1} comes ${start - last.end} s after the last`)
      isIt(
        start - last.end >= Math.min(last.asked, RetryPolicy.maxRetryAfterSeconds),
        "a receiver that asks for time gets it"
      )
    }
    isIt(endpointOf(row).business_id === row.businessId, "a delivery goes to its own business")
    isIt(events.get(row.eventId)?.businessId === row.businessId, "an event stays in its own business")
    const post = { start, end, asked: 0 }
    posts.set(deliveryId, [...made, post])
    return post
  }

  /** What holds at every moment. */
  const verify = () => isIt(changes.size === events.size, "an event exists if and only if its change does")

  /** What holds once faults have stopped and time has passed. */
  const verifyEnd = () => {
    for (const id of events.keys()) isIt(changes.has(id), "no event without its change")
    for (const row of rows) isIt(row.status !== "pending", `delivery ${row.deliveryId} ends`)
    for (const row of rows) isIt(row.claimId === null, `delivery ${row.deliveryId} is released`)
    for (const row of rows)
      if (row.status === "delivered") isIt(posts.has(row.deliveryId), "what is delivered was sent")
  }

  return { rows, commit, write, posted, verify, verifyEnd }
}
