/**
 * The schema with each table of businesses partitioned by a hash of `business_id`, as a distributed database places its rows. It
 * is made from the table of tables, on a database without businesses.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { distributionKey, tables } from "../../packages/persistence/src/migrations/Tables.ts"

/** The number of partitions of each table: many more than a test has businesses. */
const modulus = 16

const ofBusinesses = tables.filter(({ kind }) => kind === "business")

/** Replaces a table by one of the same name, columns, constraints and indexes that is partitioned. */
const partitioning = `
CREATE FUNCTION partition_table(name text, history text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  wanted text[];
  its_sequences text[];
  made text;
  step text;
BEGIN
  SELECT coalesce(array_agg(definition ORDER BY rank), '{}') INTO wanted FROM (
    SELECT 1 AS rank, format('ALTER TABLE %I ADD CONSTRAINT %I %s', name, conname, pg_get_constraintdef(oid)) AS definition
    FROM pg_constraint WHERE conrelid = name::regclass AND contype IN ('p', 'u')
    UNION ALL
    SELECT 2, pg_get_indexdef(indexrelid) FROM pg_index i WHERE indrelid = name::regclass AND NOT EXISTS (
      SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.conrelid = i.indrelid AND c.contype IN ('p', 'u'))
    UNION ALL
    SELECT 3, pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = name::regclass AND NOT tgisinternal) parts;
  IF history IS NULL THEN
    SELECT coalesce(array_agg(attname || ' ' || pg_get_serial_sequence(name, attname)), '{}') INTO its_sequences
    FROM pg_attribute WHERE attrelid = name::regclass AND attidentity <> '';
    EXECUTE format('CREATE TABLE partitioned (LIKE %I INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING IDENTITY
      INCLUDING CONSTRAINTS) PARTITION BY HASH (${distributionKey})', name);
    EXECUTE format('DROP TABLE %I CASCADE', name);
    EXECUTE format('ALTER TABLE partitioned RENAME TO %I', name);
    FOREACH step IN ARRAY its_sequences LOOP
      made := pg_get_serial_sequence(name, split_part(step, ' ', 1));
      EXECUTE format('ALTER SEQUENCE %s RENAME TO %I', made, split_part(split_part(step, ' ', 2), '.', 2));
    END LOOP;
  ELSE
    EXECUTE format('DROP TABLE %I', name);
    EXECUTE format('CREATE TABLE %I PARTITION OF %I (generation DEFAULT 1) FOR VALUES IN (1)
      PARTITION BY HASH (${distributionKey})', name, history);
  END IF;
  FOR n IN 0 .. ${modulus - 1} LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS ${modulus}, REMAINDER %s)', name || '_p' || n, name, n);
  END LOOP;
  FOREACH step IN ARRAY wanted LOOP EXECUTE step; END LOOP;
END $$`

/** Partitions each table of businesses, and makes the foreign keys again. */
export const partitionTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const keys = yield* sql<{ statement: string }>`
    SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS statement
    FROM pg_constraint WHERE contype = 'f' AND conparentid = 0
    ORDER BY conrelid::regclass::text, conname`
  const run = (statement: string) => sql.unsafe(statement).unprepared
  yield* run(partitioning)
  for (const { history = null, name } of ofBusinesses) yield* sql`SELECT partition_table(${name}, ${history})`
  const left = yield* sql<{ statement: string }>`
    SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS statement
    FROM pg_constraint WHERE contype = 'f' AND conparentid = 0`
  const present = new Set(left.map(({ statement }) => statement))
  for (const { statement } of keys) if (!present.has(statement)) yield* run(statement)
})

/** Forgets the reads that PostgreSQL has counted so far. */
export const forgetReads = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`SELECT pg_sleep(1), pg_stat_reset()`
)

/**
 * The tables of businesses of which a partition was read that has rows of no business, by name. It reads what PostgreSQL has counted
 * for the sessions that have ended.
 */
export const readBesideBusinesses = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const names = ofBusinesses.map(({ name }) => name)
  const found = yield* sql<{ name: string }>`
    SELECT DISTINCT t.name FROM unnest(${names}::text[]) AS t (name)
    CROSS JOIN generate_series(0, ${modulus - 1}::int) AS n
    JOIN pg_stat_user_tables s ON s.relname = t.name || '_p' || n
    WHERE s.seq_scan + coalesce(s.idx_scan, 0) > 0 AND NOT EXISTS (
      SELECT FROM businesses b WHERE satisfies_hash_partition('trips'::regclass, ${modulus}::int, n, b.business_id))
    ORDER BY 1`
  return found.map(({ name }) => name)
})

/** The number of reads that PostgreSQL has counted in the partitions of a table. */
export const readsOf = Effect.fnUntraced(function* (table: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ reads: number }>`
    SELECT coalesce(sum(seq_scan + coalesce(idx_scan, 0)), 0)::int8 AS reads FROM pg_stat_user_tables
    WHERE relname ~ ('^' || ${table}::text || '_p[0-9]+$')`
  return row?.reads ?? 0
})
