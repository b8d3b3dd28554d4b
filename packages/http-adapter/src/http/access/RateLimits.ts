/**
 * The number of requests a minute that a caller may make (docs/api/conventions.md), in fixed windows of one clock minute:
 * per business, user or driver, and per address for callers who have not signed in.
 */
import { Clock, Context, Effect, Layer } from "effect"
import {
  PlatformSettings,
  RateCounters,
  TooManyRequests,
  Unavailable,
  type WindowCount,
  windowSeconds
} from "@livery/domain"
import type { RequestState, RateLimitStatus } from "@livery/contract"

/** Requests a minute: per business, per address on the public auth routes, per address on other public routes. */
export interface Limits {
  readonly business: number
  readonly auth: number
  readonly public: number
}

/** When to retry a sign-in that failed because the shared counters were unavailable, in seconds. */
const retryUnavailable = 5

/** The counts of requests against the limits of the platform's settings, except for those that are given. */
export class RateLimits extends Context.Service<RateLimits>()("@livery/http-adapter/RateLimits", {
  make: Effect.fnUntraced(function* (given: Partial<Limits> = {}) {
    const counters = yield* RateCounters
    const settings = yield* PlatformSettings
    const limitOf = (kind: keyof Limits) => given[kind] ?? settings.current()[`rate_limit_${kind}`]
    const clock = yield* Clock.clockWith(Effect.succeed)
    const statusOf = (limit: number, { resetsAt, used }: WindowCount): RateLimitStatus => ({
      allowed: used <= limit,
      limit,
      remaining: Math.max(0, limit - used),
      resetsAt,
      // The clock of the counters may differ from that of this process.
      retryAfterSeconds: Math.min(
        windowSeconds,
        Math.max(1, Math.ceil(resetsAt - clock.currentTimeMillisUnsafe() / 1000))
      )
    })
    const isRefused = (kind: keyof Limits) => kind === "auth" && counters.isUnavailable()
    const unavailable = Effect.suspend(() =>
      Effect.die(
        new Unavailable({
          reason: "Sign-in is not possible now, because the rate counters do not answer",
          retryAfterSeconds: retryUnavailable
        })
      )
    )

    return {
      /** As `count` without waiting; `undefined`, with nothing counted, if it would have to wait for the counters. */
      countNow: (kind: keyof Limits, key: string): RateLimitStatus | undefined => {
        if (isRefused(kind)) return undefined
        const limit = limitOf(kind)
        const count = counters.countNow(`${kind}:${key}`, limit)
        return count && statusOf(limit, count)
      },

      /**
       * Counts one request against the window of `key` under that limit. The count is exact for concurrent requests.
       * While the shared counters are unavailable, sign-ins fail as `Unavailable`, since attempts to guess a password
       * must be counted across all nodes; all other requests are counted per node.
       */
      count: (kind: keyof Limits, key: string): Effect.Effect<RateLimitStatus> =>
        Effect.suspend(() => {
          if (isRefused(kind)) return unavailable
          const limit = limitOf(kind)
          return Effect.map(counters.count(`${kind}:${key}`, limit), (count) => statusOf(limit, count))
        })
    }
  })
}) {
  static readonly layer = (given?: Partial<Limits>) => Layer.effect(RateLimits, RateLimits.make(given))
}

/** Counts a request and notes the caller's rate limit; an `Exit` unless it has to wait for the counters. */
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

/** Counts a request, and refuses it beyond the limit; an `Exit` unless it has to wait for the counters. */
export const limit = (
  limits: RateLimits["Service"],
  request: RequestState,
  kind: keyof Limits,
  key: string
): Effect.Effect<void, TooManyRequests> =>
  Effect.flatMapEager(count(limits, request, kind, key), ({ allowed, retryAfterSeconds }) =>
    allowed ? Effect.void : Effect.fail(new TooManyRequests({ retryAfterSeconds }))
  )
