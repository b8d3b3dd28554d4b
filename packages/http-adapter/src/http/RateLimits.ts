/**
 * How many requests a minute a caller may make (specification, Limits, Rate limiting): a fixed window of one minute
 * by the clock, per business, and per address where nobody has signed in.
 */
import { Clock, Context, Effect, Layer, Option } from "effect"
import { CountersAway, RateCounters, TooManyRequests, windowSeconds } from "@livery/domain"

/** Requests a minute: per business, per address on the public auth routes, per address on what else is public. */
export interface Limits {
  readonly business: number
  readonly auth: number
  readonly public: number
}

/** How one request fared: what its window allows, what is left of it, and when it ends, in Unix seconds. */
export interface Allowance {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetsAt: number
  /** When a caller that was refused may come back. */
  readonly retryAfterSeconds: number
}

/** How long counters that did not answer are left alone, in milliseconds: so long, nobody waits for them. */
const leftAlone = 1000

/** What a caller that nobody could count is told to wait, in seconds. */
const retrySoon = 5

/**
 * - `count`: counts one request against the window of `key` under that limit, exactly, however many arrive at once.
 *   While the counters are away, what authenticates nobody yet is refused, since guessing passwords must never be
 *   free, and everything else passes.
 */
export class RateLimits extends Context.Service<
  RateLimits,
  { readonly count: (limit: keyof Limits, key: string) => Effect.Effect<Allowance> }
>()("@livery/http-adapter/RateLimits") {
  static readonly layer = (limits: Limits) =>
    Layer.effect(
      RateLimits,
      Effect.gen(function* () {
        const counters = yield* RateCounters
        let awayUntil = 0
        const counted = Effect.fnUntraced(function* (key: string, now: number) {
          if (now < awayUntil) return Option.none()
          return yield* counters.count(key).pipe(
            Effect.asSome,
            Effect.catchDefect((defect) => Effect.fail(new CountersAway({ reason: String(defect) }))),
            Effect.catchTag("CountersAway", (away) => {
              awayUntil = now + leftAlone
              return Effect.as(Effect.logWarning(away.message), Option.none())
            })
          )
        })
        return RateLimits.of({
          count: Effect.fnUntraced(function* (kind: keyof Limits, key: string) {
            const now = yield* Clock.currentTimeMillis
            const limit = limits[kind]
            const count = yield* counted(`${kind}:${key}`, now)
            if (Option.isSome(count)) {
              const { resetsAt, used } = count.value
              // The counters' clock may be another than ours.
              const left = Math.ceil(resetsAt - now / 1000)
              return {
                allowed: used <= limit,
                limit,
                remaining: Math.max(0, limit - used),
                resetsAt,
                retryAfterSeconds: Math.min(windowSeconds, Math.max(1, left))
              }
            }
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

/** Where the caller of the request at hand stands, once it is known, as headers for its answer. */
export const RateStanding = Context.Reference<{ headers?: Readonly<Record<string, string>> }>(
  "@livery/http-adapter/RateStanding",
  { defaultValue: () => ({}) }
)

/** An allowance as headers (specification, Limits, Rate limiting). */
export const standingOf = (allowance: Allowance): Readonly<Record<string, string>> => ({
  "X-RateLimit-Limit": String(allowance.limit),
  "X-RateLimit-Remaining": String(allowance.remaining),
  "X-RateLimit-Reset": String(allowance.resetsAt),
  ...(allowance.allowed ? {} : { "Retry-After": String(allowance.retryAfterSeconds) })
})

/** Counts the request at hand, tells the caller where it stands, and refuses it when it is one too many. */
export const limit = Effect.fnUntraced(function* (
  limits: RateLimits["Service"],
  kind: keyof Limits,
  key: string
) {
  const standing = yield* RateStanding
  const allowance = yield* limits.count(kind, key)
  standing.headers = standingOf(allowance)
  if (!allowance.allowed)
    return yield* new TooManyRequests({ retryAfterSeconds: allowance.retryAfterSeconds })
})
