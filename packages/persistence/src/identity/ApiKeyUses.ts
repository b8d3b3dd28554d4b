import { Clock, Effect, Queue } from "effect"
import type { SqlClient } from "effect/sql"

/** How exact the time of a key's last use is, in milliseconds. */
const exactTo = 60_000

/** Uses that wait to be recorded. More are dropped: the next use of those keys is recorded instead. */
const mostWaiting = 1000

/** Keys whose recorded use is remembered. */
const mostRemembered = 10_000

/**
 * Records that API keys are used: in a statement of its own beside the request, whose failure affects nothing else. So a
 * read stays a read, also on a server that takes no writes. One write for each key and minute at most.
 */
export const makeApiKeyUses = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const waiting = yield* Queue.dropping<string>(mostWaiting)
  const recordedAt = new Map<string, number>()

  yield* Queue.take(waiting).pipe(
    Effect.flatMap((keyHash) =>
      Effect.ignoreCause(
        // Another node may have recorded a use within the minute.
        sql`
          UPDATE api_keys SET last_used_at = now()
          WHERE key_hash = ${keyHash} AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
        { log: "Debug", message: "The use of an API key was not recorded" }
      )
    ),
    Effect.forever,
    Effect.forkScoped
  )

  /** Has a use of the key recorded, soon. */
  return (keyHash: string): Effect.Effect<void> =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const last = recordedAt.get(keyHash)
      if (last !== undefined && now - last < exactTo) return
      if (recordedAt.size >= mostRemembered) recordedAt.clear()
      recordedAt.set(keyHash, now)
      Queue.offerUnsafe(waiting, keyHash)
    })
})
