/**
 * How many requests a minute a caller may make (docs/api/conventions.md): a fixed window of one minute
 * by the clock, per business, and per address for callers who have not signed in.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { RateCounters, TooManyRequests, Unavailable, type WindowCount, windowSeconds } from "@livery/domain"
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

/** When a caller may come back that could not sign in while the counters are away, in seconds. */
const retrySoon = 5

/**
 * - `count`: counts one request against the window of `key` under that limit, however many arrive at once. While the
 *   counters are away, sign-ins fail as `Unavailable`, since the attempts to guess a password must be counted on all
 *   nodes together; everything else is counted on each node alone.
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
        const statusOf = (limit: number, { resetsAt, used }: WindowCount): RateLimitStatus => ({
          allowed: used <= limit,
          limit,
          remaining: Math.max(0, limit - used),
          resetsAt,
          // The counters may have another clock than this process.
          retryAfterSeconds: Math.min(
            windowSeconds,
            Math.max(1, Math.ceil(resetsAt - clock.currentTimeMillisUnsafe() / 1000))
          )
        })
        const isRefused = (kind: keyof Limits) => kind === "auth" && counters.isAway()
        const unavailable = Effect.suspend(() =>
          Effect.die(
            new Unavailable({
              reason: "Sign-in is not possible now, because the rate counters do not answer",
              retryAfterSeconds: retrySoon
            })
          )
        )
        return RateLimits.of({
          countNow: (kind, key) => {
            if (isRefused(kind)) return undefined
            const count = counters.countNow(`${kind}:${key}`, limits[kind])
            return count && statusOf(limits[kind], count)
          },
          count: (kind, key) =>
            Effect.suspend(() =>
              isRefused(kind)
                ? unavailable
                : Effect.map(counters.count(`${kind}:${key}`, limits[kind]), (count) =>
                    statusOf(limits[kind], count)
                  )
            )
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
