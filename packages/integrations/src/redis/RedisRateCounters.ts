/**
 * Rate counters in Redis 5 or later, for several nodes.
 *
 * One script increments a counter and sets its expiry in one step. The windows follow Redis' own clock.
 */
import { CountersAway, RateCounters, windowSeconds } from "@livery/domain"
import { Effect, Layer, Redacted, Schema } from "effect"

/** The address of Redis. */
export interface RedisOptions {
  /** `redis://` or `rediss://`, with user and password if it has any. */
  readonly url: Redacted.Redacted
}

/** The prefix of the counters' keys. */
const keyPrefix = "livery:rate:"

/** The timeout of a count. */
const timeoutMillis = 250

const script = `
local now = tonumber(redis.call('TIME')[1])
local resets_at = (math.floor(now / ${windowSeconds}) + 1) * ${windowSeconds}
local used = redis.call('INCR', KEYS[1])
if used == 1 then redis.call('PEXPIREAT', KEYS[1], resets_at * 1000) end
return {used, resets_at}`

const decode = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Int, Schema.Int]))

/** Imports the client only if Redis is configured, because the import delays the start. */
const importClient = Effect.promise(() => import("@redis/client"))

const connect = ({ createClient }: Effect.Success<typeof importClient>, { url }: RedisOptions) =>
  createClient({
    url: Redacted.value(url),
    // Every Redis supports version 2 of the protocol.
    RESP: 2,
    // A command fails at once while there is no connection, instead of being queued.
    disableOfflineQueue: true,
    // Detects a server that does not respond and a connection that was lost silently, and reconnects.
    pingInterval: 2000,
    socket: {
      connectTimeout: 2000,
      socketTimeout: 5000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 6), 1000)
    }
  })

/**
 * The layer builds while Redis is unreachable, and connects when it is back. A count fails at once while there is no
 * connection, and after a quarter of a second if Redis does not respond.
 */
export const layer = (options: RedisOptions): Layer.Layer<RateCounters> =>
  Layer.effect(
    RateCounters,
    Effect.gen(function* () {
      const away = (reason: string) => new CountersAway({ reason })
      const redis = yield* importClient
      const client = yield* Effect.acquireRelease(
        Effect.sync(() => {
          const client = connect(redis, options)
          // Without a listener, the first lost connection would end the process. Each count fails by itself.
          client.on("error", () => undefined)
          client.connect().catch(() => undefined)
          return client
        }),
        (client) => Effect.ignore(Effect.try({ try: () => client.destroy(), catch: () => undefined }))
      )
      const run = (key: string) =>
        Effect.tryPromise({
          try: () => client.eval(script, { keys: [`${keyPrefix}${key}`] }),
          catch: (cause) => away(cause instanceof Error ? cause.message : String(cause))
        })
      return RateCounters.of({
        countNow: () => undefined,
        count: Effect.fn("RateCounters.count")(function* (key: string) {
          const answer = yield* run(key).pipe(
            Effect.timeoutOrElse({
              duration: timeoutMillis,
              orElse: () => Effect.fail(away(`no response within ${timeoutMillis} ms`))
            })
          )
          const [used, resetsAt] = yield* Effect.mapError(decode(answer), ({ message }) => away(message))
          return { used, resetsAt }
        })
      })
    })
  )
