/** Checks at startup whether a database can be used, and explains in one line why not. */
import { Effect, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { migrations } from "../../migrations/index.ts"
import { distribution, type MisplacedTable, nodesOfLargeIds } from "./Distribution.ts"
import { pending } from "./Migrations.ts"
import { isDiskFull, isReadOnlyServer } from "../statements/PgErrors.ts"

/** The database cannot be used now. `reason` is one line for the person who starts the program. */
export class DatabaseUnusable extends Schema.TaggedError<DatabaseUnusable>()("DatabaseUnusable", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

/** The reason that PostgreSQL or the network gave, in one line. */
export const unusable = (error: SqlError.SqlError): DatabaseUnusable =>
  new DatabaseUnusable({
    reason: isReadOnlyServer(error)
      ? "The database takes no writes: it is a standby, or set to be read-only"
      : isDiskFull(error)
        ? "The database takes no writes: its disk is full"
        : `The database cannot be used: ${error.message.replaceAll(/\s+/gu, " ")}`
  })

const notMigrated = (missing: ReadonlyArray<string>) => {
  const fact =
    missing.length === Object.keys(migrations).length
      ? "The database was never migrated"
      : `The database lacks the migrations ${missing.join(", ")}`
  return new DatabaseUnusable({ reason: `${fact}: run \`livery migrate\`, or start with --migrate` })
}

/**
 * A statement that fails on a read-only server. It locks no row and writes nothing. If it fails, its session is closed.
 */
export const requireWrites = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`SELECT FROM livery_migrations WHERE false FOR UPDATE`
)

/**
 * Fails on a server whose disk is full, with 53100: the rows exceed `work_mem`, so that PostgreSQL writes them to a file that it
 * removes at once. Takes about 2 ms. It assigns no transaction number. A server may keep such files on another disk.
 */
export const requireDiskSpace = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.withTransaction(
    Effect.andThen(sql`SET LOCAL work_mem = '64kB'`, sql`SELECT count(*) FROM generate_series(1, 8000)`)
  )
).pipe(
  Effect.catchIf(
    (error) => !isDiskFull(error),
    () => Effect.void
  ),
  Effect.asVoid
)

const misplacedReason = (misplaced: ReadonlyArray<MisplacedTable>) => {
  const names = misplaced.map(({ name }) => name)
  return `The database is distributed, but has ${names.join(", ")} on one node only: run \`livery migrate --distribute\``
}

const largeIdsReason = (nodes: ReadonlyArray<string>) =>
  `The database has nodes whose ids exceed 2^53: ${nodes.join(", ")}. Move their shards to nodes that were added earlier`

/**
 * On a distributed database, fails while one of its tables is on the coordinator alone, or a node with rows draws ids that do not
 * fit into a number.
 */
const requireDistributed = Effect.gen(function* () {
  const { isDistributed, misplaced } = yield* distribution()
  if (!isDistributed) return
  if (misplaced.length > 0) return yield* new DatabaseUnusable({ reason: misplacedReason(misplaced) })
  const nodes = yield* nodesOfLargeIds
  if (nodes.length > 0) return yield* new DatabaseUnusable({ reason: largeIdsReason(nodes) })
})

/**
 * Fails unless the database responds, has every migration of this program, and accepts writes. A distributed database must
 * also hold each table as the table of tables says, and draw ids below 2^53.
 */
export const requireUsable: Effect.Effect<void, DatabaseUnusable, SqlClient.SqlClient> = pending(
  migrations
).pipe(
  Effect.tap((missing) => (missing.length === 0 ? Effect.asVoid(requireWrites) : Effect.void)),
  Effect.mapError(unusable),
  Effect.flatMap((missing) => (missing.length === 0 ? requireDistributed : Effect.fail(notMigrated(missing))))
)
