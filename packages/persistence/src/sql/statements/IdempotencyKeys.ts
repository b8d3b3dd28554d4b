/**
 * The two generations of the keys of idempotent requests. A key is in one of them at most: the statement that claims it
 * removes it from the previous generation and inserts it into the current one. The removal locks the row, so a
 * concurrent claim waits, and then finds the key where it is.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** Both generations, to be read in one statement. */
export const everyKey = "(TABLE idempotency_keys UNION ALL TABLE idempotency_keys_previous)"

/** Moves those of the keys that are in the previous generation to the current one. */
const moveForward = (sql: SqlClient.SqlClient, keys: ReadonlyArray<string>) =>
  Effect.orDie(sql`
    WITH moved AS (DELETE FROM idempotency_keys_previous WHERE key = ANY (${keys}::text[]) RETURNING *)
    INSERT INTO idempotency_keys (key, sealed_response, lease, leased_until, created_at, owning_business_id)
    SELECT key, sealed_response, lease, leased_until, created_at, owning_business_id FROM moved
    ON CONFLICT (key) DO NOTHING`)

/**
 * Runs a statement on the row of a key in the current generation, and returns its rows. If there is none, the key may be
 * in the previous generation: it moves, and the statement runs again.
 */
export const onCurrentKey = <A, E, R>(
  sql: SqlClient.SqlClient,
  key: string,
  statement: Effect.Effect<ReadonlyArray<A>, E, R>
) =>
  Effect.filterOrElse(
    statement,
    (rows) => rows.length > 0,
    () => Effect.andThen(moveForward(sql, [key]), statement)
  )

/** The rows of those keys that have a response, locked in the current generation. */
export const lockCurrentKeys = (sql: SqlClient.SqlClient, keys: ReadonlyArray<string>) => {
  const lock = sql`
    SELECT key, sealed_response FROM idempotency_keys
    WHERE key = ANY (${keys}::text[]) AND sealed_response <> '' ORDER BY key FOR UPDATE`
  return Effect.filterOrElse(
    lock,
    ({ length }) => length === keys.length,
    () => Effect.andThen(moveForward(sql, keys), lock)
  )
}
