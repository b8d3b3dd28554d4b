import { EventPositions, type FeedLag, maxCountedLag } from "@livery/domain"
import type { Layer } from "effect"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql"
import { rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const BatchResult = rowsAs(Schema.Struct({ is_locked: Schema.Boolean, unpositioned: Schema.Int }))
const Lag = rowsAs(Schema.Struct({ events: Schema.Int, oldest_seconds: Schema.Finite }))

/** The most events that get a position in one statement. */
const batchSize = 1_000

const isUniqueViolation = ({ reason }: SqlError.SqlError) => reason._tag === "UniqueViolation"

/**
 * Makes the effect that assigns positions to a batch of committed events, in one statement. Within a batch the order is
 * that of `sequence`, which is drawn while the changed record is locked. The result says whether all committed events
 * have a position now, only `some` of them, or whether another statement is assigning positions (`busy`).
 *
 * An example with one business, whose last position is 7. Transactions A and B draw sequences 41 and 42; B commits
 * first.
 *
 *     1. assign  sees 42 only        42 gets position 8, and readers may go on to 8
 *     2. A commits, C draws 43 for the record that A changed, and commits
 *     3. assign  sees 41 and 43      41 gets 9 and 43 gets 10
 *
 * 41 is not skipped, although its sequence is lower than one that a reader has passed. The changes of one record stay
 * in order: C could lock the record only after A's commit, so a statement that sees 43 sees 41 too, and 41 < 43.
 *
 * The last position is that of the newest event, which may be in an older generation, or dropped with it.
 *
 * The lock of the one row in `event_sequencer` lets one statement assign at a time. A statement that began before another
 * one committed, and gets the lock just after that, still sees the other one's events without positions. It does not
 * update them, because their rows have changed since. The unique index refuses the positions that the other one has used;
 * the statement then runs again.
 */
export const makeAssign = (
  sql: SqlClient.SqlClient
): Effect.Effect<"all" | "some" | "busy", SqlError.SqlError> => {
  const isUnpositioned = sql.literal("e.position IS NULL AND NOT e.sample")
  return BatchResult(sql`
    WITH sequencer_lock AS MATERIALIZED (
      SELECT true AS is_acquired FROM event_sequencer
      WHERE EXISTS (SELECT FROM events e WHERE ${isUnpositioned}) FOR NO KEY UPDATE SKIP LOCKED
    ),
    unpositioned AS MATERIALIZED (
      SELECT e.ctid AS tid, e.business_id, e.sequence FROM events e
      WHERE ${isUnpositioned} AND (SELECT is_acquired FROM sequencer_lock)
      ORDER BY e.business_id, e.sequence LIMIT (SELECT ${batchSize}::int)
    ),
    last_positions AS MATERIALIZED (
      SELECT b.business_id, coalesce(
          e.position,
          (SELECT h.position FROM event_history h WHERE h.business_id = b.business_id AND h.position IS NOT NULL
            ORDER BY h.position DESC LIMIT 1),
          (SELECT f.dropped_position FROM event_feeds f WHERE f.business_id = b.business_id),
          0
        ) AS position
      FROM (SELECT DISTINCT business_id FROM unpositioned) b LEFT JOIN LATERAL (
        SELECT e.position FROM events e WHERE e.business_id = b.business_id AND e.position IS NOT NULL
        ORDER BY e.position DESC LIMIT 1
      ) e ON true
    ),
    next AS MATERIALIZED (
      SELECT u.tid, l.position + row_number() OVER (PARTITION BY u.business_id ORDER BY u.sequence) AS position
      FROM unpositioned u JOIN last_positions l USING (business_id)
    ),
    assigned AS (
      UPDATE events e SET position = n.position FROM next n
      WHERE e.ctid = ANY (ARRAY(SELECT tid FROM next)) AND e.ctid = n.tid
      RETURNING 1
    )
    SELECT EXISTS (SELECT FROM sequencer_lock) OR NOT EXISTS (SELECT FROM events e WHERE ${isUnpositioned}) AS is_locked,
      (SELECT count(*)::int FROM unpositioned) AS unpositioned`).pipe(
    Effect.retry({ while: isUniqueViolation, times: 10 }),
    Effect.map(([row]) => {
      if (row === undefined || !row.is_locked) return "busy"
      return row.unpositioned < batchSize ? "all" : "some"
    })
  )
}

/** Counts the committed events without a position. */
export const readLag = (sql: SqlClient.SqlClient): Effect.Effect<FeedLag> =>
  Lag(sql`
    SELECT count(*)::int AS events,
      coalesce(extract(epoch FROM clock_timestamp() - min(e.created_at)), 0)::float8 AS oldest_seconds
    FROM (
      SELECT created_at FROM events WHERE position IS NULL AND NOT sample LIMIT ${maxCountedLag}
    ) e`).pipe(
    Effect.map(([row]) => ({ events: row?.events ?? 0, oldestSeconds: row?.oldest_seconds ?? 0 })),
    Effect.orDie,
    Effect.withSpan("EventPositionsPg.lag")
  )

/** Positions in the table `events`. */
export const layer: Layer.Layer<EventPositions, never, SqlClient.SqlClient> = onPostgres(
  EventPositions,
  (sql) => ({
    assign: Effect.orDie(makeAssign(sql)).pipe(Effect.withSpan("EventPositionsPg.assign")),
    lag: readLag(sql)
  })
)
