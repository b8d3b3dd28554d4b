/**
 * Rate counters in Redis 5 or later, for several nodes.
 *
 * One script increments the counters and sets their expiry in one step. The windows follow Redis' own clock.
 */
import {
  CountersUnavailable,
  type RateCounters,
  RateStore,
  SharedRateCounters,
  windowSeconds
} from "@livery/domain"
import { Effect, Layer, Redacted, Schema } from "effect"

/** The address of Redis. */
export interface RedisOptions {
  /** `redis://` or `rediss://`, with user and password if it has any. */
  readonly url: Redacted.Redacted
}

/** The prefix of the counters' keys. */
const keyPrefix = "livery:rate:"

/** Returns the end of the window in Unix seconds, the milliseconds until then, and the count of each key. */
const script = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local resets_at = (math.floor(now / ${windowSeconds * 1000}) + 1) * ${windowSeconds}
local answer = {resets_at, resets_at * 1000 - now}
for index, key in ipairs(KEYS) do
  local used = redis.call('INCRBY', key, ARGV[index])
  if used == tonumber(ARGV[index]) then redis.call('PEXPIREAT', key, resets_at * 1000) end
  answer[index + 2] = used
end
return answer`

const decode = Schema.decodeUnknownEffect(
  Schema.TupleWithRest(Schema.Tuple([Schema.Int, Schema.Int]), [Schema.Int])
)

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
 * The layer builds while Redis is unreachable, and connects when Redis is back. Without a connection, `take` fails at
 * once.
 */
export const store = (options: RedisOptions): Layer.Layer<RateStore> =>
  Layer.effect(
    RateStore,
    Effect.gen(function* () {
      const unavailable = (reason: string) => new CountersUnavailable({ reason })
      const library = yield* importClient
      const client = yield* Effect.acquireRelease(
        Effect.sync(() => {
          const client = connect(library, options)
          // Without a listener, the first lost connection would end the process. Each count fails by itself.
          client.on("error", () => undefined)
          client.connect().catch(() => undefined)
          return client
        }),
        (client) => Effect.ignore(Effect.try({ try: () => client.destroy(), catch: () => undefined }))
      )
      return RateStore.of({
        take: Effect.fnUntraced(function* (demands) {
          const answer = yield* Effect.tryPromise({
            try: () =>
              client.eval(script, {
                keys: demands.map(({ key }) => `${keyPrefix}${key}`),
                arguments: demands.map(({ count }) => String(count))
              }),
            catch: (cause) => unavailable(cause instanceof Error ? cause.message : String(cause))
          })
          const [resetsAt, remainingMillis, ...used] = yield* Effect.mapError(decode(answer), ({ message }) =>
            unavailable(message)
          )
          return { used, resetsAt, remainingMillis }
        })
      })
    })
  )

/** Rate counters over that store. */
export const layer = (options: RedisOptions): Layer.Layer<RateCounters> =>
  Layer.provide(SharedRateCounters.layer, store(options))
