/**
 * The generations of a table that grows. Each generation is a partition. All rows are written to the current one, which
 * has the plain name of the table; the older ones are only read, and dropped when all of their rows are too old
 * (docs/engineering/0019-retention.md).
 *
 *     event_history   partitioned by generation: what readers of the past read
 *       events_1      ended on 1 October
 *       events_2      ended on 23 October
 *       events        generation 3: its statements do not know of the others
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { rowsAs } from "../sql/Rows.ts"
import { deliveryStatus } from "../webhooks/StatusConditions.ts"

/** A table that grows. */
export interface GrowingTable {
  readonly table: string
  /** The partitioned table that has all generations. */
  readonly history: string
  /** The condition of the rows that move to the next generation, because a worker still needs them. */
  readonly isLive?: string
  /**
   * Statements that run before a generation is dropped. They store what is still needed of it, and delete what depends
   * on it.
   */
  readonly beforeDrop?: (generation: string) => ReadonlyArray<string>
  /** The condition under which a generation is still needed, however old it is. */
  readonly isNeeded?: (generation: string) => string
}

const dropped = (generation: string) => `
  INSERT INTO event_feeds AS f (business_id, dropped_position)
  SELECT business_id, max(position) FROM ${generation} WHERE position IS NOT NULL GROUP BY business_id
  ON CONFLICT (business_id) DO UPDATE SET dropped_position = greatest(f.dropped_position, excluded.dropped_position)`

/** The tables that grow. */
export const growingTables = {
  events: {
    table: "events",
    history: "event_history",
    isLive: "position IS NULL AND NOT sample",
    beforeDrop: (generation) => [dropped(generation)],
    isNeeded: (generation) => `EXISTS (
      SELECT FROM webhook_deliveries d WHERE d.status = ${deliveryStatus.pending} AND EXISTS (
        SELECT FROM ${generation} e WHERE e.business_id = d.business_id AND e.event_id = d.event_id))`
  },
  deliveries: {
    table: "webhook_deliveries",
    history: "webhook_delivery_history",
    isLive: `status = ${deliveryStatus.pending} OR claim_id IS NOT NULL`
  },
  positions: {
    table: "driver_trail",
    history: "driver_trail_history",
    // The last position of an assignment goes with its last report.
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
export const lockTimeout = "SET LOCAL lock_timeout = '500ms'"

/**
 * Starts the next generation of a table, in one statement. The exclusive lock waits until no transaction that has
 * written to the table is open; so every row that is not live is in its final state.
 */
const rotation = ({ history, isLive = "false", table }: GrowingTable) => `
  DO $rotation$ DECLARE
    n integer;
    fields text;
    found record;
    indexes text[] := '{}';
    triggers text[];
  BEGIN
    LOCK TABLE ${history} IN ACCESS EXCLUSIVE MODE;
    SELECT generation INTO STRICT n FROM table_generations WHERE table_name = '${table}' AND ended_at IS NULL;
    FOR found IN
      SELECT c.relname AS name, pg_get_indexdef(c.oid) AS definition, i.indisprimary AS is_primary
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = '${table}'::regclass
    LOOP
      EXECUTE format('ALTER INDEX %I RENAME TO %I', found.name, found.name || '_' || n);
      indexes := indexes || found.definition;
      IF found.is_primary THEN
        indexes := indexes || format('ALTER TABLE ${table} ADD CONSTRAINT %1$I PRIMARY KEY USING INDEX %1$I', found.name);
      END IF;
    END LOOP;
    SELECT coalesce(array_agg(pg_get_triggerdef(oid)), '{}') INTO triggers FROM pg_trigger
    WHERE tgrelid = '${table}'::regclass AND NOT tgisinternal AND tgparentid = 0;
    EXECUTE format('ALTER TABLE ${table} RENAME TO %I', '${table}_' || n);
    EXECUTE format('CREATE TABLE ${table} PARTITION OF ${history} (generation DEFAULT %1$s) FOR VALUES IN (%1$s)', n + 1);
    FOR i IN 1 .. cardinality(indexes) LOOP
      EXECUTE indexes[i];
    END LOOP;
    FOR i IN 1 .. cardinality(triggers) LOOP
      EXECUTE triggers[i];
    END LOOP;
    SELECT string_agg(quote_ident(attname), ', ') INTO fields FROM pg_attribute
    WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'generation';
    EXECUTE format('INSERT INTO ${table} (%1$s) SELECT %1$s FROM %2$I WHERE ${isLive.replaceAll("'", "''")}',
      fields, '${table}_' || n);
    EXECUTE format('DELETE FROM %I WHERE ${isLive.replaceAll("'", "''")}', '${table}_' || n);
    UPDATE table_generations SET ended_at = clock_timestamp() WHERE table_name = '${table}' AND generation = n;
    INSERT INTO table_generations (table_name, generation) VALUES ('${table}', n + 1);
  END $rotation$`

const statesOf = rowsAs(
  Schema.Struct({
    generation: Schema.Int,
    is_current: Schema.Boolean,
    age_days: Schema.Finite
  })
)
const conditionOf = rowsAs(Schema.Struct({ holds: Schema.Boolean }))

/** The age at which a generation ends, in days: a fourth of the period, so that a table has six generations at most. */
const generationDays = (period: number) => Math.max(1, period / 4)

/**
 * Starts the next generation of a table if the current one is old enough and has rows, and drops the generations that
 * ended more than `days` ago. Returns how many it dropped. Several nodes may run it at the same time.
 */
export const sweepTable = Effect.fn("Generations.sweepTable")(function* (
  growing: GrowingTable,
  days: number
) {
  const sql = yield* SqlClient.SqlClient
  const { beforeDrop = () => [], history, isNeeded = () => "false", table } = growing
  const holds = (condition: string) =>
    Effect.map(conditionOf(sql.unsafe(`SELECT ${condition} AS holds`)), ([row]) => row?.holds === true)

  // The rows are locked until the transaction ends, so a node that waits for them sees the other node's changes.
  const states = statesOf(sql`
    SELECT generation, ended_at IS NULL AS is_current,
      (extract(epoch FROM clock_timestamp() - coalesce(ended_at, started_at)) / 86400)::float8 AS age_days
    FROM table_generations WHERE table_name = ${table} ORDER BY generation FOR UPDATE`)
  const isDue = ({ age_days, is_current }: { readonly age_days: number; readonly is_current: boolean }) =>
    is_current && age_days > generationDays(days)

  yield* sql.withTransaction(
    Effect.gen(function* () {
      const current = (yield* states).find(isDue)
      if (current === undefined || !(yield* holds(`EXISTS (SELECT FROM ${table})`))) return
      yield* sql.unsafe(lockTimeout).unprepared
      yield* sql.unsafe(rotation(growing)).unprepared
    })
  )

  const drop = (generation: string, number: number) =>
    sql.withTransaction(
      Effect.gen(function* () {
        const found = (yield* states).some((state) => state.generation === number)
        if (!found || (yield* holds(isNeeded(generation)))) return 0
        yield* sql`SET LOCAL statement_timeout = '10min'`.unprepared
        for (const statement of beforeDrop(generation)) yield* sql.unsafe(statement).unprepared
        yield* sql.unsafe(lockTimeout).unprepared
        yield* sql.unsafe(`LOCK TABLE ${history} IN ACCESS EXCLUSIVE MODE`).unprepared
        // This is checked again under the lock, because a delivery may have been created meanwhile.
        if (yield* holds(isNeeded(generation)))
          return yield* Effect.die(new Error(`${generation} is needed again`))
        yield* sql.unsafe(`DROP TABLE ${generation}`).unprepared
        yield* sql`DELETE FROM table_generations WHERE table_name = ${table} AND generation = ${number}`
        return 1
      })
    )
  let count = 0
  for (const { age_days, generation, is_current } of yield* states)
    if (!is_current && age_days > days) count += yield* drop(`${table}_${generation}`, generation)
  return count
})
