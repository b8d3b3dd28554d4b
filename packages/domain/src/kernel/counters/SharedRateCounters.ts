/**
 * Rate counters that several nodes share. A node takes numbers from the store in blocks, so that few requests wait for
 * the store. One statement at a time takes the blocks of all keys.
 *
 * On one node, exactly N requests of a window are allowed. On several nodes, at most N are allowed; fewer if other
 * nodes hold unused numbers, each at most one block, which becomes smaller near the limit.
 *
 * A slow or unavailable store delays no request by more than a quarter of a second: each node then counts in memory
 * against the same limit, and adds its counts to the store later.
 */
import { Clock, Effect, Layer, Queue } from "effect"
import {
  countInMemory,
  demandOf,
  countWaitingInMemory,
  makeKeyCounter,
  nextNumber,
  type KeyCounter,
  useBlock,
  type GiveNumber
} from "./KeyCounter.ts"
import { RateCounters, type WindowCount, windowSeconds } from "./RateCounters.ts"
import { CountersUnavailable, RateStore } from "./RateStore.ts"

/** How long a request waits for the store, in milliseconds. */
const waitLimitMillis = 250

/** The time limit of a request to the store, in milliseconds. */
const storeTimeoutMillis = 2000

/** The pause after a failed request to the store, in milliseconds. */
const pauseMillis = 1000

/** The store is reported as unavailable after it has failed for this many milliseconds. */
const unavailableMillis = 5000

/** The shortest time between two log lines about an outage, in milliseconds. */
const logIntervalMillis = 60_000

/** The most keys of one statement. */
const maxKeys = 1000

const windowMillis = windowSeconds * 1000

/** Rate counters over a store. */
export const layer: Layer.Layer<RateCounters, never, RateStore> = Layer.effect(
  RateCounters,
  Effect.gen(function* () {
    const store = yield* RateStore
    const clock = yield* Clock.clockWith(Effect.succeed)
    const wakeUps = yield* Queue.dropping<void>(1)
    const keyCounters = new Map<string, KeyCounter>()
    const demanding = new Set<KeyCounter>()
    const probing = new Set<() => void>()
    let sweptAt = 0
    let requestedAt: number | undefined
    let failingSince: number | undefined
    let loggedAt = Number.NEGATIVE_INFINITY

    const now = () => clock.currentTimeMillisUnsafe()

    const isSlow = () =>
      failingSince !== undefined || (requestedAt !== undefined && now() - requestedAt >= waitLimitMillis)

    const demand = (counter: KeyCounter) => {
      demanding.add(counter)
      Queue.offerUnsafe(wakeUps, undefined)
    }

    /** Whether the window has ended. One that ends later than any window can was counted before the clock was set back. */
    const isOver = ({ endsAt, waiting }: KeyCounter, at: number) =>
      (at >= endsAt || endsAt - at > windowMillis) && waiting.size === 0

    const sweep = (at: number) => {
      if (Math.abs(at - sweptAt) < windowMillis) return
      sweptAt = at
      for (const [key, counter] of keyCounters) if (isOver(counter, at)) keyCounters.delete(key)
    }

    const keyCounterOf = (key: string, limit: number): KeyCounter => {
      const at = now()
      const existing = keyCounters.get(key)
      if (existing !== undefined && !isOver(existing, at)) {
        existing.limit = limit
        return existing
      }
      sweep(at)
      const resetsAt = (Math.floor(at / 1000 / windowSeconds) + 1) * windowSeconds
      const created = makeKeyCounter(key, limit, resetsAt)
      keyCounters.set(key, created)
      return created
    }

    /** Counts a request in memory, and asks for a block that makes up for it. */
    const countUncommitted = (counter: KeyCounter) => {
      const counted = countInMemory(counter)
      demand(counter)
      return counted
    }

    const countNow = (key: string, limit: number): WindowCount | undefined => {
      const counter = keyCounterOf(key, limit)
      return nextNumber(counter) ?? (isSlow() ? countUncommitted(counter) : undefined)
    }

    const waitFor = (counter: KeyCounter) =>
      Effect.callback<WindowCount>((resume) => {
        const give: GiveNumber = (count) => resume(Effect.succeed(count))
        counter.waiting.add(give)
        demand(counter)
        return Effect.sync(() => counter.waiting.delete(give))
      }).pipe(
        Effect.timeoutOrElse({
          duration: waitLimitMillis,
          orElse: () => Effect.sync(() => countUncommitted(counter))
        })
      )

    const logRecovery = Effect.suspend(() => {
      const since = failingSince
      failingSince = undefined
      if (since === undefined || loggedAt < since) return Effect.void
      return Effect.logInfo("The rate counters answer again", { after_s: Math.round((now() - since) / 1000) })
    })

    const logOutage = ({ message }: CountersUnavailable) =>
      Effect.suspend(() => {
        if (now() - loggedAt < logIntervalMillis) return Effect.void
        loggedAt = now()
        return Effect.logWarning(message)
      })

    const endProbes = Effect.sync(() => {
      for (const end of probing) end()
      probing.clear()
    })

    /** Takes the demanded blocks from the store. */
    const takeBlocks = Effect.suspend(() => {
      for (const counter of demanding) if (isOver(counter, now())) demanding.delete(counter)
      const counters = [...demanding].slice(0, maxKeys)
      const demands = counters.map(demandOf)
      for (const counter of counters) demanding.delete(counter)
      const began = now()
      requestedAt = began
      return store.take(demands).pipe(
        Effect.timeoutOrElse({
          duration: storeTimeoutMillis,
          orElse: () =>
            Effect.fail(new CountersUnavailable({ reason: `no answer within ${storeTimeoutMillis} ms` }))
        }),
        Effect.catchDefect((defect) => Effect.fail(new CountersUnavailable({ reason: String(defect) }))),
        Effect.matchEffect({
          onSuccess: (taken) => {
            requestedAt = undefined
            for (const [index, counter] of counters.entries()) {
              useBlock(counter, demands[index] ?? demandOf(counter), taken.used[index] ?? 0, taken, now())
              if (counter.waiting.size + counter.uncommitted > 0) demand(counter)
            }
            if (demanding.size > 0) Queue.offerUnsafe(wakeUps, undefined)
            return Effect.andThen(logRecovery, endProbes)
          },
          onFailure: (unavailable) => {
            requestedAt = undefined
            failingSince ??= began
            for (const counter of counters) {
              countWaitingInMemory(counter)
              demanding.add(counter)
            }
            // Retried until the store responds, so that the end of the outage is noticed without any request.
            Queue.offerUnsafe(wakeUps, undefined)
            return logOutage(unavailable).pipe(
              Effect.andThen(endProbes),
              Effect.andThen(Effect.sleep(pauseMillis))
            )
          }
        })
      )
    })

    yield* Queue.take(wakeUps).pipe(
      Effect.andThen(takeBlocks),
      Effect.forever,
      Effect.ensuring(endProbes),
      Effect.forkScoped
    )

    const probe = Effect.callback<void>((resume) => {
      const end = () => resume(Effect.void)
      probing.add(end)
      Queue.offerUnsafe(wakeUps, undefined)
      return Effect.sync(() => probing.delete(end))
    }).pipe(Effect.timeoutOrElse({ duration: storeTimeoutMillis, orElse: () => Effect.void }))

    return RateCounters.of({
      countNow,
      count: (key, limit) =>
        Effect.suspend(() => {
          const counted = countNow(key, limit)
          return counted === undefined ? waitFor(keyCounterOf(key, limit)) : Effect.succeed(counted)
        }),
      isUnavailable: () => failingSince !== undefined && now() - failingSince >= unavailableMillis,
      probe: Effect.suspend(() => (failingSince === undefined ? probe : Effect.void))
    })
  })
)
