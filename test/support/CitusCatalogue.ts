/**
 * The catalogue of Citus, and the functions that fill it, in a plain PostgreSQL. It places no row anywhere. The functions refuse
 * what Citus refuses of a schema: a unique index or a reference without the key, a reference to a table that is not placed, and
 * a table with triggers unless the setting permits it.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const catalogue = `
CREATE TABLE pg_dist_partition (
  logicalrel regclass PRIMARY KEY, partmethod "char" NOT NULL, partkey text, colocationid integer NOT NULL, repmodel "char" NOT NULL
);
CREATE TABLE pg_dist_node (
  nodeid integer PRIMARY KEY, groupid integer NOT NULL, nodename text NOT NULL, nodeport integer NOT NULL,
  isactive boolean NOT NULL DEFAULT true, noderole text NOT NULL DEFAULT 'primary', shouldhaveshards boolean NOT NULL
);
INSERT INTO pg_dist_node (nodeid, groupid, nodename, nodeport, shouldhaveshards)
VALUES (1, 0, 'coordinator', 5432, false), (2, 1, 'worker-1', 5432, true), (3, 2, 'worker-2', 5432, true);
CREATE TABLE pg_dist_shard (logicalrelid regclass NOT NULL, shardid bigint GENERATED ALWAYS AS IDENTITY, groupid integer NOT NULL);
CREATE SEQUENCE pg_dist_colocationid_seq;
CREATE VIEW citus_shards AS
  SELECT s.logicalrelid AS table_name, s.shardid,
    CASE p.partmethod WHEN 'h' THEN 'distributed' ELSE 'reference' END AS citus_table_type,
    n.nodename, n.nodeport, 1000000 * n.nodeid::bigint AS shard_size
  FROM pg_dist_shard s JOIN pg_dist_partition p ON p.logicalrel = s.logicalrelid JOIN pg_dist_node n USING (groupid);`

const functions = `
CREATE FUNCTION run_command_on_all_nodes(command text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE command; END $$;

CREATE FUNCTION refuse_placed(placed regclass) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT FROM pg_dist_partition WHERE logicalrel = placed) THEN
    RAISE EXCEPTION 'table "%" is already distributed', placed;
  END IF;
  IF coalesce(current_setting('citus.enable_local_reference_table_foreign_keys', true), 'on') <> 'off' THEN
    RAISE EXCEPTION 'local tables that refer to "%" would be added to the metadata', placed;
  END IF;
  IF coalesce(current_setting('citus.enable_unsafe_triggers', true), 'off') <> 'on'
      AND EXISTS (SELECT FROM pg_trigger WHERE tgrelid = placed AND NOT tgisinternal) THEN
    RAISE EXCEPTION 'cannot distribute relation "%" because it has triggers', placed;
  END IF;
END $$;

CREATE FUNCTION create_reference_table(placed regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE other regclass;
BEGIN
  PERFORM refuse_placed(placed);
  SELECT confrelid INTO other FROM pg_constraint
  WHERE contype = 'f' AND conrelid = placed AND confrelid <> placed AND confrelid NOT IN (
    SELECT logicalrel FROM pg_dist_partition WHERE partmethod = 'n');
  IF found THEN RAISE EXCEPTION 'reference table "%" cannot refer to "%"', placed, other; END IF;
  INSERT INTO pg_dist_partition VALUES (placed, 'n', NULL, 1, 't');
  INSERT INTO pg_dist_shard (logicalrelid, groupid) SELECT placed, groupid FROM pg_dist_node;
END $$;

CREATE FUNCTION create_distributed_table(
  placed regclass, key text, distribution_type text DEFAULT 'hash', colocate_with text DEFAULT 'default'
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE group_id integer; key_number smallint; reason text;
BEGIN
  PERFORM refuse_placed(placed);
  SELECT attnum INTO STRICT key_number FROM pg_attribute WHERE attrelid = placed AND attname = key;
  IF colocate_with = 'none' THEN
    group_id := nextval('pg_dist_colocationid_seq') + 1;
  ELSE
    SELECT colocationid INTO STRICT group_id FROM pg_dist_partition
    WHERE logicalrel = colocate_with::regclass AND partmethod = 'h';
  END IF;
  SELECT 'the unique index ' || indexrelid::regclass || ' lacks ' || key INTO reason FROM pg_index
  WHERE indrelid = placed AND (indisunique OR indisexclusion) AND key_number <> ALL (indkey::int2[]);
  IF found THEN RAISE EXCEPTION 'cannot create constraint on "%": %', placed, reason; END IF;
  SELECT conname || ' refers to ' || confrelid::regclass INTO reason FROM pg_constraint r
  LEFT JOIN pg_dist_partition p ON p.logicalrel = r.confrelid
  WHERE r.contype = 'f' AND r.conrelid = placed AND r.confrelid <> placed AND (p.logicalrel IS NULL
    OR (p.partmethod = 'h' AND (p.colocationid <> group_id OR key_number <> ALL (r.conkey))));
  IF found THEN RAISE EXCEPTION 'cannot create foreign key constraint of "%": %', placed, reason; END IF;
  INSERT INTO pg_dist_partition
  SELECT placed, 'h', key, group_id, 's' UNION ALL
  SELECT inhrelid, 'h', key, group_id, 's' FROM pg_inherits WHERE inhparent = placed;
  INSERT INTO pg_dist_shard (logicalrelid, groupid)
  SELECT logicalrel, n.groupid FROM pg_dist_partition, generate_series(1, 4) AS shard
  JOIN pg_dist_node n ON n.groupid = 1 + shard % 2
  WHERE logicalrel = placed OR logicalrel IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = placed);
END $$;`

/** The statements that make the catalogue, its two workers and the functions. */
export const citusCatalogue = `${catalogue}${functions}`

/** Gives the database the catalogue of a Citus with two workers. */
export const addCitusCatalogue = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`DO $all$ BEGIN EXECUTE $one$${citusCatalogue}$one$; END $all$`).unprepared
})
