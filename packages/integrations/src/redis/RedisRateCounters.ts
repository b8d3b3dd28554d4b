/**
 * Rate counters in Redis, 5 or later, for several nodes.
 *
 * One script a count, so that counting and giving the key its end are one step, in a window by Redis' own clock.
 */
import { CountersAway, RateCounters, windowSeconds } from "@livery/domain"
import { Effect, Layer, Redacted, Schema } from "effect"

/** How to reach Redis. */
export interface RedisOptions {
  /** `redis://` or `rediss://`, with user and password if there are any. */
  readonly url: Redacted.Redacted
  /** What the counters' keys begin with, `livery:rate:` by default. */
  readonly prefix?: string
}

/** A request waits no longer than this to be counted. */
const patienceMillis = 250

const script = `
local now = tonumber(redis.call('TIME')[1])
local resets_at = (math.floor(now / ${windowSeconds}) + 1) * ${windowSeconds}
local used = redis.call('INCR', KEYS[1])
if used == 1 then redis.call('PEXPIREAT', KEYS[1], resets_at * 1000) end
return {used, resets_at}`

const decode = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Int, Schema.Int]))

/** The client is read when there is a Redis to reach: without one, no start should wait for it. */
const loaded = Effect.promise(() => import("@redis/client"))

const connect = ({ createClient }: Effect.Success<typeof loaded>, { url }: RedisOptions) =>
  createClient({
    url: Redacted.value(url),
    // Version 2 of the protocol is what every Redis speaks.
    RESP: 2,
    // A command that cannot be sent fails at once, instead of waiting for a server that may never come back.
    disableOfflineQueue: true,
    // A server that has stopped answering, or a connection that died without a word, is noticed and made anew.
    pingInterval: 2000,
    socket: {
      connectTimeout: 2000,
      socketTimeout: 5000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 6), 1000)
    }
  })

/**
 * Builds while Redis is away, and comes to it when it is there. `CountersAway` at once while there is no
 * connection, and after a quarter of a second when Redis does not answer.
 */
export const layer = (options: RedisOptions): Layer.Layer<RateCounters> =>
  Layer.effect(
    RateCounters,
    Effect.gen(function* () {
      const away = (reason: string) => new CountersAway({ reason })
      const redis = yield* loaded
      const prefix = options.prefix ?? "livery:rate:"
      const client = yield* Effect.acquireRelease(
        Effect.sync(() => {
          const client = connect(redis, options)
          // Without a listener, the first lost connection would end the process. Each count tells that it failed.
          client.on("error", () => undefined)
          client.connect().catch(() => undefined)
          return client
        }),
        (client) => Effect.ignore(Effect.try({ try: () => client.destroy(), catch: () => undefined }))
      )
      const run = (key: string) =>
        Effect.tryPromise({
          try: () => client.eval(script, { keys: [`${prefix}${key}`] }),
          catch: (cause) => away(cause instanceof Error ? cause.message : String(cause))
        })
      return RateCounters.of({
        countNow: () => undefined,
        count: Effect.fn("RateCounters.count")(function* (key: string) {
          const answer = yield* run(key).pipe(
            Effect.timeoutOrElse({
              duration: patienceMillis,
              orElse: () => Effect.fail(away(`no answer within ${patienceMillis} ms`))
            })
          )
          const [used, resetsAt] = yield* Effect.mapError(decode(answer), ({ message }) => away(message))
          return { used, resetsAt }
        })
      })
    })
  )
