/**
 * How many requests a minute a caller may make (docs/api/conventions.md): a fixed window of one minute
 * by the clock, per business, and per address for callers who have not signed in.
 */
import { Clock, Context, Effect, Layer, Option } from "effect"
import { CountersAway, RateCounters, TooManyRequests, type WindowCount, windowSeconds } from "@livery/domain"
import type { RequestState } from "./CurrentRequest.ts"

/** Requests a minute: per business, per address on the public auth routes, per address on other public routes. */
export interface Limits {
  readonly business: number
  readonly auth: number
  readonly public: number
}

/** Where a caller stands after one request: what its window allows, what is left, and when it ends, in Unix seconds. */
export interface RateLimitStatus {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetsAt: number
  /** When a refused caller may come back. */
  readonly retryAfterSeconds: number
}

/** How long counters that did not answer are not asked again, in milliseconds. */
const pauseMillis = 1000

/** What a caller waits that could not be counted, in seconds. */
const retrySoon = 5

/**
 * - `count`: counts one request against the window of `key` under that limit, exactly, however many arrive at once.
 *   While the counters are away, sign-ins are refused, since guessing passwords must never be free, and everything
 *   else passes.
 * - `countNow`: the same at once; `undefined` if it has to wait for the counters, and nothing was counted.
 */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    readonly count: (limit: keyof Limits, key: string) => Effect.Effect<RateLimitStatus>
    readonly countNow: (limit: keyof Limits, key: string) => RateLimitStatus | undefined
  }
>()("@livery/http-adapter/RateLimits") {
  static readonly layer = (limits: Limits) =>
    Layer.effect(
      RateLimits,
      Effect.gen(function* () {
        const counters = yield* RateCounters
        const clock = yield* Clock.clockWith(Effect.succeed)
        let pausedUntil = 0
        const counted = Effect.fnUntraced(function* (key: string, now: number) {
          if (now < pausedUntil) return Option.none()
          return yield* counters.count(key).pipe(
            Effect.asSome,
            Effect.catchDefect((defect) => Effect.fail(new CountersAway({ reason: String(defect) }))),
            Effect.catchTag("CountersAway", (away) => {
              pausedUntil = now + pauseMillis
              return Effect.as(Effect.logWarning(away.message), Option.none())
            })
          )
        })
        const statusOf = (limit: number, { resetsAt, used }: WindowCount, now: number): RateLimitStatus => ({
          allowed: used <= limit,
          limit,
          remaining: Math.max(0, limit - used),
          resetsAt,
          // The counters may have another clock than this process.
          retryAfterSeconds: Math.min(windowSeconds, Math.max(1, Math.ceil(resetsAt - now / 1000)))
        })
        return RateLimits.of({
          countNow: (kind, key) => {
            const count = counters.countNow(`${kind}:${key}`)
            return count && statusOf(limits[kind], count, clock.currentTimeMillisUnsafe())
          },
          count: Effect.fnUntraced(function* (kind: keyof Limits, key: string) {
            const now = clock.currentTimeMillisUnsafe()
            const limit = limits[kind]
            const count = yield* counted(`${kind}:${key}`, now)
            if (Option.isSome(count)) return statusOf(limit, count.value, now)
            const allowed = kind !== "auth"
            return {
              allowed,
              limit,
              remaining: allowed ? limit : 0,
              resetsAt: (Math.floor(now / 1000 / windowSeconds) + 1) * windowSeconds,
              retryAfterSeconds: retrySoon
            }
          })
        })
      })
    )
}

/** Counts a request and notes where its caller stands; an `Exit` unless it has to wait for the counters. */
export const count = (
  limits: RateLimits["Service"],
  request: RequestState,
  kind: keyof Limits,
  key: string
): Effect.Effect<RateLimitStatus> => {
  const status = limits.countNow(kind, key)
  request.rateLimit = status
  return status === undefined
    ? Effect.map(limits.count(kind, key), (counted) => {
        request.rateLimit = counted
        return counted
      })
    : Effect.succeed(status)
}

/** Counts a request, and refuses it if it is one too many; an `Exit` unless it has to wait for the counters. */
export const limit = (
  limits: RateLimits["Service"],
  request: RequestState,
  kind: keyof Limits,
  key: string
): Effect.Effect<void, TooManyRequests> =>
  Effect.flatMapEager(count(limits, request, kind, key), ({ allowed, retryAfterSeconds }) =>
    allowed ? Effect.void : Effect.fail(new TooManyRequests({ retryAfterSeconds }))
  )
