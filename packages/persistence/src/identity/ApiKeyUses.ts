import { Effect, Queue } from "effect"
import type { SqlClient } from "effect/sql"
import { monotonicMillis } from "@livery/domain"

/** The precision of the time of a key's last use, in milliseconds. */
const precisionMillis = 60_000

/** The most uses in the queue. More are dropped; a later use of the key is recorded instead. */
const maxQueuedUses = 1000

/** The most keys whose recorded use is cached. */
const maxCachedKeys = 10_000

/**
 * Records the uses of API keys, at most one per key and minute. One statement records all uses that have gathered while the
 * previous one ran, because a distributed database writes to `api_keys` on every node. It is outside of the request's
 * transaction, and its failure affects nothing else. So requests that only read work on a read-only server too.
 */
export const makeApiKeyUses = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const uses = yield* Queue.dropping<string>(maxQueuedUses)
  const recordedAt = new Map<string, number>()

  yield* Queue.takeAll(uses).pipe(
    Effect.flatMap((keyHashes) =>
      Effect.ignoreCause(
        // Another node may have recorded a use within the minute.
        sql`
          UPDATE api_keys SET last_used_at = now()
          WHERE key_hash = ANY (${keyHashes}::text[]) AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
        { log: "Debug", message: "The use of an API key was not recorded" }
      )
    ),
    Effect.forever,
    Effect.forkScoped
  )

  /** Queues the use of a key to be recorded. */
  return (keyHash: string): Effect.Effect<void> =>
    Effect.map(monotonicMillis, (now) => {
      const last = recordedAt.get(keyHash)
      if (last !== undefined && now - last < precisionMillis) return
      if (recordedAt.size >= maxCachedKeys) recordedAt.clear()
      if (Queue.offerUnsafe(uses, keyHash)) recordedAt.set(keyHash, now)
    })
})
