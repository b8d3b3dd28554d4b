/**
 * The generations of a table that grows. Each generation is a partition. All rows are written to the current one, which
 * has the plain name of the table; the older ones are only read, and dropped when all of their rows are too old
 * (docs/engineering/0019-retention.md).
 *
 *     event_history   partitioned by generation: what readers of the past read
 *       events_1      ended on 1 October
 *       events_2      ended on 23 October
 *       events        generation 3, the current one: writing statements name only this table
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { traced } from "@livery/domain"
import { rowsAs } from "../sql/rows/Rows.ts"
import { deliveryStatus, isClaimed, isWaiting } from "../webhooks/StatusConditions.ts"

/** A table whose old rows are dropped by generations. */
export interface GrowingTable {
  readonly table: string
  /** The partitioned table that has all generations. */
  readonly history: string
  /** The condition for rows that move to the next generation, because a worker still needs them. */
  readonly isLive?: string
  /** The storage parameters of each generation. */
  readonly storage?: string
  /**
   * Statements that run before a generation is dropped. They store what is still needed of it, and delete what depends
   * on it.
   */
  readonly beforeDrop?: (generation: string) => ReadonlyArray<string>
  /** The condition under which a generation is still needed, however old it is. */
  readonly isNeeded?: (generation: string) => string
}

/**
 * The condition that any row is found `from` some tables. A distributed database accepts it over all businesses only with a column, and
 * its coordinator would get every row without a limit.
 */
const isAny = (from: string) => `EXISTS (SELECT 1 FROM ${from} LIMIT 1)`

/** Stores the last position of each event feed in a generation, because positions are never used again. */
const storeLastPositions = (generation: string) => `
  INSERT INTO event_feeds AS f (business_id, dropped_position)
  SELECT business_id, max(position) FROM ${generation} WHERE position IS NOT NULL GROUP BY business_id
  ON CONFLICT (business_id) DO UPDATE SET dropped_position = greatest(f.dropped_position, excluded.dropped_position)`

/** The tables that grow. */
export const growingTables = {
  // Deliveries come first: events are kept while a delivery refers to them.
  deliveries: {
    table: "webhook_deliveries",
    history: "webhook_delivery_history",
    // Pending or claimed. Both halves name claim_id because each has an index of its own.
    isLive: `(status = ${deliveryStatus.pending} AND claim_id IS NULL) OR claim_id IS NOT NULL`
  },
  events: {
    table: "events",
    history: "event_history",
    isLive: "position IS NULL AND NOT sample",
    // Moves bodies out of the rows (migration 0056).
    storage: "toast_tuple_target = 512",
    beforeDrop: (generation) => [storeLastPositions(generation)],
    isNeeded: (generation) =>
      isAny(`webhook_deliveries d WHERE ((${isWaiting}) OR (${isClaimed})) AND EXISTS (
        SELECT 1 FROM ${generation} e WHERE e.business_id = d.business_id AND e.event_id = d.event_id)`)
  },
  positions: {
    table: "driver_trail",
    history: "driver_trail_history",
    // The last position of an assignment is deleted with the generation that has its last report.
    beforeDrop: (generation) => [
      `DELETE FROM driver_positions p USING (SELECT DISTINCT business_id, assignment_id FROM ${generation}) g
       WHERE p.business_id = g.business_id AND p.assignment_id = g.assignment_id AND p.received_at <= (
         SELECT ended_at FROM table_generations WHERE 'driver_trail_' || generation = '${generation}'
           AND table_name = 'driver_trail')`
    ]
  },
  audit: { table: "audit_log", history: "audit_history" }
} satisfies Readonly<Record<string, GrowingTable>>

/** A table that grows, by a short name. */
export type GrowingName = keyof typeof growingTables

/** Shorter than PostgreSQL's deadlock_timeout of 1 s, so that in a deadlock this lock fails and no request does. */
export const setLockTimeout = "SET LOCAL lock_timeout = '500ms'"

/**
 * Starts the next generation of a table, in one statement. The exclusive lock waits until no transaction that has
 * written to the table is open; so every row that is not live is in its final state. The steps for `events`, whose
 * current generation is 3:
 *
 *     1. rename the indexes of `events`: `events_pkey` becomes `events_pkey_3`
 *     2. rename `events` to `events_3`, and create an empty `events` for generation 4 with the same indexes and triggers
 *     3. move the live rows from `events_3` to `events`
 *     4. record the end of generation 3 and the start of generation 4
 */
const rotation = ({ history, isLive = "false", storage, table }: GrowingTable) => `
  DO $rotation$ DECLARE
    n integer;
    column_names text;
    old_index record;
    statements text[] := '{}';
    triggers text[];
  BEGIN
    LOCK TABLE ${history} IN ACCESS EXCLUSIVE MODE;
    SELECT generation INTO STRICT n FROM table_generations WHERE table_name = '${table}' AND ended_at IS NULL;
    FOR old_index IN
      SELECT c.relname AS name, pg_get_indexdef(c.oid) AS definition, i.indisprimary AS is_primary
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = '${table}'::regclass
    LOOP
      EXECUTE format('ALTER INDEX %I RENAME TO %I', old_index.name, old_index.name || '_' || n);
      statements := statements || old_index.definition;
      IF old_index.is_primary THEN
        statements := statements || format('ALTER TABLE ${table} ADD CONSTRAINT %1$I PRIMARY KEY USING INDEX %1$I', old_index.name);
      END IF;
    END LOOP;
    SELECT coalesce(array_agg(pg_get_triggerdef(oid)), '{}') INTO triggers FROM pg_trigger
    WHERE tgrelid = '${table}'::regclass AND NOT tgisinternal AND tgparentid = 0;
    EXECUTE format('ALTER TABLE ${table} RENAME TO %I', '${table}_' || n);
    EXECUTE format('CREATE TABLE ${table} PARTITION OF ${history} (generation DEFAULT %1$s) FOR VALUES IN (%1$s)${storage === undefined ? "" : ` WITH (${storage})`}', n + 1);
    FOR i IN 1 .. cardinality(statements) LOOP
      EXECUTE statements[i];
    END LOOP;
    FOR i IN 1 .. cardinality(triggers) LOOP
      EXECUTE triggers[i];
    END LOOP;
    SELECT string_agg(quote_ident(attname), ', ') INTO column_names FROM pg_attribute
    WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'generation';
    EXECUTE format('INSERT INTO ${table} (%1$s) SELECT %1$s FROM %2$I WHERE ${isLive.replaceAll("'", "''")}',
      column_names, '${table}_' || n);
    EXECUTE format('DELETE FROM %I WHERE ${isLive.replaceAll("'", "''")}', '${table}_' || n);
    UPDATE table_generations SET ended_at = clock_timestamp() WHERE table_name = '${table}' AND generation = n;
    INSERT INTO table_generations (table_name, generation) VALUES ('${table}', n + 1);
  END $rotation$`

const generationsOf = rowsAs(
  Schema.Struct({
    generation: Schema.Int,
    is_current: Schema.Boolean,
    age_days: Schema.Finite
  })
)
const conditionOf = rowsAs(Schema.Struct({ holds: Schema.Boolean }))

/** The age at which a generation ends, in days: a fourth of the period, so that a table has six generations at most. */
const generationDays = (period: number) => Math.max(1, period / 4)

/** Whether a condition holds in the database. */
const holds = (sql: SqlClient.SqlClient, condition: string) =>
  Effect.map(conditionOf(sql.unsafe(`SELECT ${condition} AS holds`)), ([row]) => row?.holds === true)

/** The generations of a table, the oldest first. */
const generationsOfTable = (sql: SqlClient.SqlClient, table: string, locking = sql``) =>
  generationsOf(sql`
    SELECT generation, ended_at IS NULL AS is_current,
      (extract(epoch FROM clock_timestamp() - coalesce(ended_at, started_at)) / 86400)::float8 AS age_days
    FROM table_generations WHERE table_name = ${table} ORDER BY generation ${locking}`)

/** Reads and locks the generations of a table: a node that waits for the lock then sees the other node's changes. */
const lockGenerations = (sql: SqlClient.SqlClient, table: string) =>
  generationsOfTable(sql, table, sql`FOR UPDATE`)

/** Starts the next generation of a table if the current one is old enough and has rows. */
const rotateIfDue = Effect.fnUntraced(function* (growing: GrowingTable, days: number) {
  const sql = yield* SqlClient.SqlClient
  const { table } = growing
  const current = (yield* lockGenerations(sql, table)).find(({ is_current }) => is_current)
  if (current === undefined || current.age_days <= generationDays(days)) return
  // Each node of a distributed database answers before the table is locked, so that no write waits for one that does not.
  if (!(yield* holds(sql, isAny(table)))) return
  yield* sql.unsafe(setLockTimeout).unprepared
  yield* sql.unsafe(rotation(growing)).unprepared
})

/** Drops a generation unless it is still needed, and returns whether it did. */
const dropGeneration = Effect.fnUntraced(function* (growing: GrowingTable, generation: number) {
  const sql = yield* SqlClient.SqlClient
  const { beforeDrop = () => [], history, isNeeded = () => "false", table } = growing
  const partition = `${table}_${generation}`
  const isPresent = (yield* lockGenerations(sql, table)).some((row) => row.generation === generation)
  if (!isPresent || (yield* holds(sql, isNeeded(partition)))) return false
  // The result does not matter: each node answers before the table is locked.
  yield* holds(sql, isAny(partition))
  yield* sql`SET LOCAL statement_timeout = '10min'`.unprepared
  for (const statement of beforeDrop(partition)) yield* sql.unsafe(statement).unprepared
  yield* sql.unsafe(setLockTimeout).unprepared
  yield* sql.unsafe(`LOCK TABLE ${history} IN ACCESS EXCLUSIVE MODE`).unprepared
  // No row can be written until the transaction ends, so it must be short. If it is not, the next sweep tries again.
  yield* sql`SET LOCAL statement_timeout = '1s'`.unprepared
  // This is checked again under the lock, because a delivery may have been created meanwhile.
  if (yield* holds(sql, isNeeded(partition)))
    return yield* Effect.die(new Error(`${partition} is needed again`))
  yield* sql.unsafe(`DROP TABLE ${partition}`).unprepared
  yield* sql`DELETE FROM table_generations WHERE table_name = ${table} AND generation = ${generation}`
  return true
})

/**
 * Starts the next generation of a table if the current one is old enough and has rows, and drops the generations that
 * ended more than `days` ago. Returns how many it dropped. Several nodes may run it at the same time.
 */
export const sweepTable = traced("Generations.sweepTable")(function* (growing: GrowingTable, days: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.withTransaction(rotateIfDue(growing, days))
  let dropped = 0
  for (const { age_days, generation, is_current } of yield* generationsOfTable(sql, growing.table))
    if (!is_current && age_days > days && (yield* sql.withTransaction(dropGeneration(growing, generation))))
      dropped += 1
  return dropped
})
