/** A dispatcher of the simulation: it looks, claims, sends and records, and may be stopped at any point of that. */
import { ClaimSelection, DeliverySchedule, type EndpointId, RetryPolicy } from "@livery/domain"
import { Option } from "effect"
import type { Agenda } from "./Agenda.ts"
import type { makeLedger, Row } from "./Ledger.ts"
import type { Random } from "./Random.ts"

/** How a receiver takes a POST. */
export interface Reception {
  readonly seconds: number
  readonly acknowledged: boolean
  readonly retryAfter: number
}

/** What a dispatcher lives in. */
export interface Surroundings {
  readonly agenda: Agenda
  readonly random: Random
  readonly ledger: ReturnType<typeof makeLedger>
  readonly isEnabled: (endpointId: EndpointId) => boolean
  readonly isDatabaseAway: () => boolean
  readonly receive: (endpointId: EndpointId) => Reception
  /** Whether the answer of a statement that was committed gets lost. */
  readonly losesAnswer: () => boolean
  readonly tell: (what: string) => void
}

const limit = 8
const perEndpoint = 3
const perBusiness = 5

export const makeDispatcher = (name: string, surroundings: Surroundings) => {
  const { agenda, isDatabaseAway, isEnabled, ledger, losesAnswer, random, receive, tell } = surroundings
  let life = 0
  let isAlive = true
  let frozen = false
  let after = 0
  let claims = 0
  let nextLook = Number.POSITIVE_INFINITY
  const thawing: Array<() => void> = []

  /** Goes on later in the same life; after a freeze, if there is one in between. */
  const later = (seconds: number, go: () => void) => {
    const mine = life
    const goOn = () => {
      if (mine !== life) return
      if (frozen) thawing.push(goOn)
      else go()
    }
    agenda.put(seconds, goOn)
  }

  const record = (row: Row, claimId: string, result: Reception, lapsesAt: number) => {
    const now = agenda.now()
    if (isDatabaseAway()) {
      if (now < lapsesAt) later(random.between(0.25, 2), () => record(row, claimId, result, lapsesAt))
      return
    }
    const current = ledger.rows[row.deliveryId] ?? row
    const { acknowledged, retryAfter } = result
    const retryIn = acknowledged
      ? null
      : Option.getOrNull(RetryPolicy.waitAfter(row.attempt, random.next(), retryAfter))
    const written = ledger.write(
      DeliverySchedule.recordResult(current, { claimId, now, acknowledged, retryIn })
    )
    tell(`${name} records ${claimId}: ${acknowledged} ${retryIn} ${written}`)
    if (losesAnswer()) later(1, () => record(row, claimId, result, lapsesAt))
    lookBy(now + (retryIn ?? 0))
    return written
  }

  const begin = (row: Row, claimId: string, claimedAt: number) => {
    const now = agenda.now()
    if (now - claimedAt > RetryPolicy.startTimeoutSeconds) {
      if (isDatabaseAway()) return
      const current = ledger.rows[row.deliveryId] ?? row
      tell(`${name} gives ${claimId} back`)
      ledger.write(DeliverySchedule.release(current, { claimId, now }))
      lookBy(now)
      return
    }
    const reception = receive(row.endpointId)
    const post = ledger.posted(row.deliveryId, now, now + reception.seconds)
    tell(`${name} posts ${claimId}`)
    later(reception.seconds, () => {
      const lapsesAt = now + RetryPolicy.leaseSecondsOf(row.attempt)
      if (record(row, claimId, reception, lapsesAt) === true) post.asked = reception.retryAfter
    })
  }

  const look = () => {
    nextLook = Number.POSITIVE_INFINITY
    if (isDatabaseAway()) return lookBy(agenda.now() + 2)
    const now = agenda.now()
    const bounds = { limit, perEndpoint, perBusiness }
    const { abandoned, claimed, expired, failed } = ClaimSelection.select(ledger.rows, {
      ...bounds,
      now,
      after,
      endpointOf: (id) => ({ enabled: isEnabled(id), host: "receiver.example" })
    })
    for (const row of failed) ledger.write(DeliverySchedule.fail(row))
    for (const row of [...abandoned, ...expired]) ledger.write(DeliverySchedule.lapse(row, now))
    const isLost = losesAnswer()
    for (const row of claimed) {
      claims += 1
      const claimId = `${name}/${life}/${claims} of ${row.deliveryId}`
      const next = DeliverySchedule.claim(row, { claimId, now })
      ledger.write(next)
      tell(`${name} claims ${claimId}${isLost ? ", and its answer is lost" : ""}`)
      // Most begin at once; some wait in line for their turn, a few of them for too long.
      const turn = random.between(0, random.chance(0.1) ? RetryPolicy.startTimeoutSeconds * 1.2 : 0.05)
      if (!isLost) later(turn, () => begin(next, claimId, now))
      after = row.endpointId
    }
    if (claimed.length + failed.length >= limit || expired.length > 0) return lookBy(now)
    const times = ledger.rows.flatMap((row) => row.nextAttemptAt ?? DeliverySchedule.lapsesAt(row) ?? [])
    if (times.length > 0) lookBy(Math.max(now + 0.7, Math.min(...times)))
  }

  /** Looks within 0.9 s of that time, unless it does so sooner anyway. */
  const lookBy = (at: number) => {
    const wanted = Math.max(at, agenda.now()) + random.between(0, 0.9)
    if (!isAlive || wanted >= nextLook) return
    nextLook = wanted
    later(wanted - agenda.now(), () => {
      if (nextLook === wanted) look()
    })
  }

  return {
    lookBy,
    crash: (seconds: number) => {
      tell(`${name} crashes`)
      life += 1
      isAlive = false
      frozen = false
      thawing.length = 0
      nextLook = Number.POSITIVE_INFINITY
      agenda.put(seconds, () => {
        isAlive = true
        lookBy(agenda.now())
      })
    },
    freeze: (seconds: number) => {
      if (frozen) return
      tell(`${name} freezes`)
      const mine = life
      frozen = true
      agenda.put(seconds, () => {
        if (mine !== life) return
        tell(`${name} thaws`)
        frozen = false
        for (const goOn of thawing.splice(0)) goOn()
        lookBy(agenda.now())
      })
    }
  }
}
