/**
 * The generations of idempotency keys: the current one and the previous one. Unlike the tables of `Generations.ts`, they
 * need no common table, because a statement reads both only to find one key (`sql/statements/IdempotencyKeys.ts`).
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { traced } from "@livery/domain"
import { rowsAs } from "../sql/rows/Rows.ts"
import { setLockTimeout } from "./Generations.ts"

/**
 * Drops the previous generation; the current one becomes the previous one. The current one is locked first, as in the
 * statement that claims a key.
 */
const rotation = [
  "LOCK TABLE idempotency_keys IN ACCESS EXCLUSIVE MODE",
  "DROP TABLE idempotency_keys_previous",
  "ALTER TABLE idempotency_keys RENAME TO idempotency_keys_previous",
  "ALTER INDEX idempotency_keys_pkey RENAME TO idempotency_keys_previous_pkey",
  "CREATE TABLE idempotency_keys (LIKE idempotency_keys_previous INCLUDING ALL)",
  `UPDATE table_generations SET generation = generation + 1, started_at = clock_timestamp()
   WHERE table_name = 'idempotency_keys'`
]

const conditionOf = rowsAs(Schema.Struct({ holds: Schema.Boolean }))

/**
 * Starts the next generation of keys if the current one is older than `days`: then each key of the previous one is
 * older too, and that generation is dropped. Returns how many generations it dropped. Several nodes may run it at the
 * same time.
 */
export const sweepKeys = traced("IdempotencyGenerations.sweepKeys")(function* (days: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      // The row is locked until the transaction ends, so a node that waits for it sees the new generation. The statement
      // reads no keys: a waiting node would hold a lock that the first one waits for.
      const isOld = conditionOf(sql`
        SELECT clock_timestamp() - started_at > make_interval(days => ${days}) AS holds
        FROM table_generations WHERE table_name = 'idempotency_keys' FOR UPDATE`)
      const hasKeys = conditionOf(sql`
        SELECT EXISTS (SELECT FROM idempotency_keys) OR EXISTS (SELECT FROM idempotency_keys_previous) AS holds`)
      for (const condition of [isOld, hasKeys]) if ((yield* condition)[0]?.holds !== true) return 0
      yield* sql.unsafe(setLockTimeout).unprepared
      for (const statement of rotation) yield* sql.unsafe(statement).unprepared
      return 1
    })
  )
})
