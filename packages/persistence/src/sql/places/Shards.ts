/** Where Citus has the rows of each business, by its catalogue. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { rowsAs } from "../rows/Rows.ts"
import type { ShardNames } from "./ShardNames.ts"

/** The shards of the businesses whose ids have a hash within a range. They are all on one node. */
export interface Shards {
  /** The least and the greatest hash of its businesses. */
  readonly least: number
  readonly greatest: number
  readonly host: string
  readonly port: number
  /** The shard of one of the tables. All of them move together. */
  readonly shardId: number
  /** The shards of tables of businesses, and the copies of copied tables on the node. */
  readonly names: ShardNames
}

const placementsOf = rowsAs(
  Schema.Struct({
    table: Schema.String,
    id: Schema.Int,
    least: Schema.NullOr(Schema.Int),
    greatest: Schema.NullOr(Schema.Int),
    host: Schema.String,
    port: Schema.Int
  })
)

const nameOf = (table: string, id: number) => `${table}_${id}`

const copiesOf = rowsAs(Schema.Struct({ table: Schema.String, id: Schema.Int }))

/** Reads the names of the copied tables on the coordinator itself. Without any, it is no node of its own database. */
export const readCopies = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const copies = yield* copiesOf(sql`
    SELECT c.relname AS table, s.shardid AS id
    FROM pg_dist_partition p
      JOIN pg_class c ON c.oid = p.logicalrelid
      JOIN pg_dist_shard s ON s.logicalrelid = p.logicalrelid
      JOIN pg_dist_placement m ON m.shardid = s.shardid AND m.shardstate = 1 AND m.groupid = 0
    WHERE c.relnamespace = current_schema()::regnamespace AND p.partmethod = 'n' AND p.repmodel = 't'
    ORDER BY 1`)
  return new Map(copies.map(({ id, table }) => [table, nameOf(table, id)]))
})

/** Reads which node has the shards of which businesses now. A move, a split and a new generation of a table change it. */
export const readShards = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const placements = yield* placementsOf(sql`
    SELECT c.relname AS table, s.shardid AS id, s.shardminvalue::int AS least,
      s.shardmaxvalue::int AS greatest, n.nodename AS host, n.nodeport AS port
    FROM pg_dist_partition p
      JOIN pg_class c ON c.oid = p.logicalrelid
      JOIN pg_dist_shard s ON s.logicalrelid = p.logicalrelid
      JOIN pg_dist_placement m ON m.shardid = s.shardid AND m.shardstate = 1
      JOIN pg_dist_node n ON n.groupid = m.groupid AND n.noderole = 'primary'
    WHERE c.relnamespace = current_schema()::regnamespace
      AND (p.colocationid = (SELECT colocationid FROM pg_dist_partition WHERE logicalrelid = 'events'::regclass)
        OR (p.partmethod = 'n' AND p.repmodel = 't'))
    ORDER BY s.shardminvalue::int NULLS LAST`)
  const nodeOf = ({ host, port }: { readonly host: string; readonly port: number }) => `${host}:${port}`
  const found = new Map<string, Shards & { readonly names: Map<string, string> }>()
  for (const { greatest, host, id, least, port, table } of placements) {
    const shard = nameOf(table, id)
    if (least === null || greatest === null) {
      // A copied table, whose rows come after those of all tables of businesses.
      for (const shards of found.values())
        if (nodeOf(shards) === nodeOf({ host, port })) shards.names.set(table, shard)
      continue
    }
    const key = `${least}`
    const shards = found.get(key) ?? {
      least,
      greatest,
      host,
      port,
      shardId: id,
      names: new Map<string, string>()
    }
    found.set(key, shards)
    shards.names.set(table, shard)
  }
  return [...found.values()] as ReadonlyArray<Shards>
})
