/** A simulated dispatcher: it polls, claims, posts and records, and a crash or a freeze may interrupt it between any two steps. */
import { ClaimSelection, DeliverySchedule, type EndpointId, RetryPolicy } from "@livery/domain"
import { Option } from "effect"
import type { EventQueue } from "./EventQueue.ts"
import type { makeSimulatedDatabase, Row } from "./SimulatedDatabase.ts"
import type { Random } from "./Random.ts"

/** The response of a receiver to a POST. */
export interface SimulatedResponse {
  readonly seconds: number
  readonly acknowledged: boolean
  readonly retryAfter: number
}

/** The parts of the simulation that a dispatcher uses. */
export interface Environment {
  readonly events: EventQueue
  readonly random: Random
  readonly database: ReturnType<typeof makeSimulatedDatabase>
  readonly isEnabled: (endpointId: EndpointId) => boolean
  readonly isDatabaseDown: () => boolean
  readonly respond: (endpointId: EndpointId) => SimulatedResponse
  /** Whether the response of a committed statement is lost. */
  readonly losesResponse: () => boolean
  readonly log: (event: string) => void
}

const limit = 8
const perEndpoint = 3
const perBusiness = 5

export const makeDispatcher = (name: string, environment: Environment) => {
  const { events, isDatabaseDown, isEnabled, database, losesResponse, random, respond, log } = environment
  let life = 0
  let isAlive = true
  let frozen = false
  let after = 0
  let claims = 0
  let nextPoll = Number.POSITIVE_INFINITY
  const thawing: Array<() => void> = []

  /** Runs an action later, unless the dispatcher has crashed by then. A frozen dispatcher runs it when it continues. */
  const schedule = (seconds: number, action: () => void) => {
    const startedIn = life
    const resume = () => {
      if (startedIn !== life) return
      if (frozen) thawing.push(resume)
      else action()
    }
    events.schedule(seconds, resume)
  }

  const record = (row: Row, claimId: string, result: SimulatedResponse, expiresAt: number) => {
    const now = events.now()
    if (isDatabaseDown()) {
      if (now < expiresAt) schedule(random.between(0.25, 2), () => record(row, claimId, result, expiresAt))
      return
    }
    const current = database.rows[row.deliveryId] ?? row
    const { acknowledged, retryAfter } = result
    const retryIn = acknowledged
      ? null
      : Option.getOrNull(RetryPolicy.waitAfter(row.attempt, random.next(), retryAfter))
    const written = database.write(
      DeliverySchedule.recordResult(current, { claimId, now, acknowledged, retryIn })
    )
    log(`${name} records ${claimId}: ${acknowledged} ${retryIn} ${written}`)
    if (losesResponse()) schedule(1, () => record(row, claimId, result, expiresAt))
    pollBy(now + (retryIn ?? 0))
    return written
  }

  const startAttempt = (row: Row, claimId: string, claimedAt: number) => {
    const now = events.now()
    if (now - claimedAt > RetryPolicy.startTimeoutSeconds) {
      if (isDatabaseDown()) return
      const current = database.rows[row.deliveryId] ?? row
      log(`${name} releases ${claimId}`)
      database.write(DeliverySchedule.release(current, { claimId, now }))
      pollBy(now)
      return
    }
    const response = respond(row.endpointId)
    const post = database.posted(row.deliveryId, now, now + response.seconds)
    log(`${name} posts ${claimId}`)
    schedule(response.seconds, () => {
      const expiresAt = now + RetryPolicy.leaseSecondsOf(row.attempt)
      if (record(row, claimId, response, expiresAt) === true) post.retryAfter = response.retryAfter
    })
  }

  const poll = () => {
    nextPoll = Number.POSITIVE_INFINITY
    if (isDatabaseDown()) return pollBy(events.now() + 2)
    const now = events.now()
    const bounds = { limit, perEndpoint, perBusiness }
    const { abandoned, claimed, expired, failed } = ClaimSelection.select(database.rows, {
      ...bounds,
      now,
      after,
      endpointOf: (id) => ({ enabled: isEnabled(id), host: "receiver.example" })
    })
    for (const row of failed) database.write(DeliverySchedule.fail(row))
    for (const row of [...abandoned, ...expired]) database.write(DeliverySchedule.expire(row, now))
    const isLost = losesResponse()
    for (const row of claimed) {
      claims += 1
      const claimId = `${name}/${life}/${claims} of ${row.deliveryId}`
      const next = DeliverySchedule.claim(row, { claimId, now })
      database.write(next)
      log(`${name} claims ${claimId}${isLost ? ", and the response is lost" : ""}`)
      // Most attempts start at once. Some wait, a few of them for longer than an attempt may.
      const delay = random.between(0, random.chance(0.1) ? RetryPolicy.startTimeoutSeconds * 1.2 : 0.05)
      if (!isLost) schedule(delay, () => startAttempt(next, claimId, now))
      after = row.endpointId
    }
    if (claimed.length + failed.length >= limit || expired.length > 0) return pollBy(now)
    const times = database.rows.flatMap((row) => row.nextAttemptAt ?? DeliverySchedule.expiresAt(row) ?? [])
    if (times.length > 0) pollBy(Math.max(now + 0.7, Math.min(...times)))
  }

  /** Polls within 0.9 s of that time, unless an earlier poll is scheduled. */
  const pollBy = (at: number) => {
    const wanted = Math.max(at, events.now()) + random.between(0, 0.9)
    if (!isAlive || wanted >= nextPoll) return
    nextPoll = wanted
    schedule(wanted - events.now(), () => {
      if (nextPoll === wanted) poll()
    })
  }

  return {
    pollBy,
    crash: (seconds: number) => {
      log(`${name} crashes`)
      life += 1
      isAlive = false
      frozen = false
      thawing.length = 0
      nextPoll = Number.POSITIVE_INFINITY
      events.schedule(seconds, () => {
        isAlive = true
        pollBy(events.now())
      })
    },
    freeze: (seconds: number) => {
      if (frozen) return
      log(`${name} freezes`)
      const startedIn = life
      frozen = true
      events.schedule(seconds, () => {
        if (startedIn !== life) return
        log(`${name} continues`)
        frozen = false
        for (const resume of thawing.splice(0)) resume()
        pollBy(events.now())
      })
    }
  }
}
