/**
 * The distribution of the schema over the nodes of Citus, as the table of tables says (`migrations/Tables.ts`): the rows of
 * businesses are placed by `business_id`, copied tables are on each node, and the others stay on the coordinator. On a plain
 * PostgreSQL nothing of this applies.
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { traced } from "@livery/domain"
import type { OnProgress } from "@livery/domain"
import { distributionKey, sequencesOfNodes, type Table, tables } from "../../migrations/Tables.ts"
import { rowsAs } from "../rows/Rows.ts"

/** The database has no Citus. Nothing was changed. */
export class CitusMissing extends Schema.TaggedError<CitusMissing>()("CitusMissing", {}) {
  override get message() {
    return (
      "The database cannot be distributed, because it lacks the extension citus: " +
      "install it on the server and run CREATE EXTENSION citus. Nothing was changed"
    )
  }
}

/** How a distributed database holds a table. */
type Placement = "by key" | "copied" | "local"

const placements: Readonly<Record<Table["kind"], Placement>> = {
  business: "by key",
  copied: "copied",
  platform: "local"
}

/** The name under which a table is distributed: the table of all generations, if it has some. */
const distributedName = ({ history, name }: Table) => history ?? name

/** A table that a distributed database does not hold as the table of tables says. */
export interface MisplacedTable {
  readonly name: string
  readonly kind: Table["kind"]
}

/**
 * What Citus needs while it distributes this schema: the references of global tables to copied ones stay as they are, foreign
 * keys to copied tables are made one node after the other, and tables with triggers are accepted.
 */
const settings: ReadonlyArray<readonly [name: string, value: string]> = [
  ["citus.enable_local_reference_table_foreign_keys", "off"],
  ["citus.multi_shard_modify_mode", "sequential"],
  ["citus.enable_unsafe_triggers", "on"]
]

/** One call of Citus. `table` is the table that it places. */
interface Step {
  readonly table?: string
  readonly statement: string
}

/** The calls that place these tables, in the order of the table of tables. */
const placing = (misplaced: ReadonlyArray<MisplacedTable>): ReadonlyArray<Step> => {
  const wrong = new Set(misplaced.map(({ name }) => name))
  const ofBusinesses = tables.filter(({ kind }) => kind === "business").map(distributedName)
  // The rows of one business are on one node: all of its tables join the first one that has its place.
  const first = ofBusinesses.find((name) => !wrong.has(name)) ?? ofBusinesses[0]
  return misplaced.map(({ kind, name }) => ({
    table: name,
    statement:
      kind === "copied"
        ? `SELECT create_reference_table('${name}')`
        : `SELECT create_distributed_table('${name}', '${distributionKey}', colocate_with => '${name === first ? "none" : first}')`
  }))
}

/** The steps that distribute these tables, in order. No tables need no steps. */
const stepsFor = (misplaced: ReadonlyArray<MisplacedTable>): ReadonlyArray<Step> =>
  misplaced.length === 0
    ? []
    : [
        ...sequencesOfNodes.map((name) => ({
          statement: `SELECT result FROM run_command_on_all_nodes('CREATE SEQUENCE IF NOT EXISTS ${name}')`
        })),
        ...placing(misplaced)
      ]

/** The tables that a distributed database does not leave on the coordinator alone, in order. */
const allTables = tables
  .filter(({ kind }) => kind !== "platform")
  .map((table): MisplacedTable => ({ name: distributedName(table), kind: table.kind }))

const catalogueOf = rowsAs(Schema.Struct({ has_citus: Schema.Boolean }))
const heldOf = rowsAs(
  Schema.Struct({ name: Schema.String, placement: Schema.Literals(["by key", "copied", "local"]) })
)

const hasCitus = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* catalogueOf(sql`SELECT to_regclass('pg_dist_partition') IS NOT NULL AS has_citus`)
  return found?.has_citus === true
})

/** Fails with `CitusMissing` on a database without Citus. */
export const requireCitus = Effect.flatMap(hasCitus, (isThere) =>
  isThere ? Effect.void : Effect.fail(new CitusMissing())
)

/** How Citus holds the tables of its catalogue, by name. A table that it does not know is local. */
const readPlacements = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const held = yield* heldOf(sql`
    SELECT c.relname AS name,
      CASE WHEN p.partmethod = 'h' THEN 'by key' WHEN p.partmethod = 'n' AND p.repmodel = 't' THEN 'copied' ELSE 'local' END
        AS placement
    FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
    WHERE c.relnamespace = current_schema()::regnamespace`)
  return new Map(held.map(({ name, placement }) => [name, placement]))
})

/** Whether the database is distributed, and the tables that it does not hold as the table of tables says, in order. */
export const distribution = traced("Distribution.read")(function* () {
  if (!(yield* hasCitus)) return { hasCitus: false, isDistributed: false, misplaced: allTables }
  const held = yield* readPlacements
  return {
    hasCitus: true,
    isDistributed: allTables.some(({ name }) => (held.get(name) ?? "local") !== "local"),
    misplaced: allTables.filter(({ kind, name }) => held.get(name) !== placements[kind])
  }
})

/** The SQL that `distribute` would run, with its settings. On a database without Citus it is the SQL for all tables. */
export const distributionPlan = Effect.map(distribution(), ({ misplaced }) => {
  const steps = stepsFor(misplaced)
  return steps.length === 0
    ? []
    : [
        ...settings.map(([name, value]) => `SET ${name} = '${value}'`),
        ...steps.map(({ statement }) => statement)
      ]
})

/** The lock that two nodes take, so that only one distributes. It is not the lock of the migrations. */
const LOCK = 5_483_796_290

const place = Effect.fnUntraced(function* ({ statement, table }: Step) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.withTransaction(
    Effect.gen(function* () {
      // The rows of a table move, which may take long.
      yield* sql`SELECT set_config('statement_timeout', '0', true),
        set_config('idle_in_transaction_session_timeout', '0', true)`
      yield* sql`SELECT pg_advisory_xact_lock(${LOCK})`
      const { misplaced } = yield* distribution()
      // Another node may have placed the table while this one waited.
      if (table !== undefined && !misplaced.some(({ name }) => name === table)) return
      for (const [name, value] of settings) yield* sql`SELECT set_config(${name}, ${value}, true)`.unprepared
      yield* sql.unsafe(statement).unprepared
    })
  )
})

/**
 * Distributes each table that the database does not hold as the table of tables says, each in a transaction of its own, and
 * returns their names. It may be run again: a table that is in its place stays there. Fails with `CitusMissing` without Citus.
 */
export const distribute = traced("Distribution.distribute")(function* (
  onProgress: OnProgress = () => undefined
) {
  yield* requireCitus
  const { misplaced } = yield* distribution()
  const steps = stepsFor(misplaced)
  for (const [index, step] of steps.entries()) {
    yield* place(step)
    onProgress(index + 1, steps.length)
  }
  return misplaced.map(({ name }) => name)
})

/**
 * Distributes the tables that new migrations have made, if the database is distributed: Citus makes each table on the
 * coordinator. Returns their names.
 */
export const distributeNew = Effect.flatMap(distribution(), ({ isDistributed }) =>
  isDistributed ? Effect.catchTag(distribute(), "CitusMissing", () => Effect.succeed([])) : Effect.succeed([])
)

/** The first group of nodes whose ids do not fit into a number: Citus gives group n the ids from n · 2^48 on. */
const groupOfLargeIds = 2 ** 53 / 2 ** 48

const namesOf = rowsAs(Schema.Struct({ node: Schema.String }))

/**
 * The nodes of a distributed database whose ids exceed 2^53, such as `10.0.0.2:5432`: a statement that inserts what it selects
 * draws its ids on the node of the rows.
 */
export const nodesOfLargeIds = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    namesOf(sql`
      SELECT nodename || ':' || nodeport AS node FROM pg_dist_node
      WHERE groupid >= ${groupOfLargeIds} AND noderole = 'primary' AND shouldhaveshards ORDER BY 1`),
    (rows) => rows.map(({ node }) => node)
  )
)

/** What the nodes of a distributed database hold. */
export interface DistributedNode {
  /** Such as `10.0.0.2:5432`. */
  readonly node: string
  readonly isActive: boolean
  /** The shards of the tables of businesses. */
  readonly shards: number
  /** The bytes of these shards, with their indexes. */
  readonly bytes: number
}

const nodesOf = rowsAs(
  Schema.Struct({
    node: Schema.String,
    isActive: Schema.Boolean,
    shards: Schema.Int,
    bytes: Schema.Finite
  })
)

/** The nodes that may hold rows of businesses. It asks each node for the sizes of its shards. */
export const distributedNodes: Effect.Effect<
  ReadonlyArray<DistributedNode>,
  never,
  SqlClient.SqlClient
> = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  nodesOf(sql`
    SELECT n.nodename || ':' || n.nodeport AS node, n.isactive AS "isActive",
      count(s.shardid)::int8 AS shards, coalesce(sum(s.shard_size), 0)::float8 AS bytes
    FROM pg_dist_node n
    LEFT JOIN citus_shards s
      ON s.nodename = n.nodename AND s.nodeport = n.nodeport AND s.citus_table_type = 'distributed'
    WHERE n.noderole = 'primary' AND n.shouldhaveshards
    GROUP BY n.nodename, n.nodeport, n.isactive ORDER BY 1`)
)
