/** The rows of one business, read in one snapshot of the database. */
import type {
  BusinessId,
  BusinessRow,
  BusinessSnapshot,
  BusinessTable,
  RowBlocks,
  TableSum
} from "@livery/domain"
import { Effect, Option, Schema } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { execute, rowsAs } from "../sql/rows/Rows.ts"
import {
  blockOf,
  makeBusinessTables,
  notExported,
  quotedNames,
  rowsThatMove,
  withPrefix
} from "./BusinessTables.ts"

/** The number of rows that are read at once. */
const batchSize = 500

const Values = Schema.Record(Schema.String, Schema.Json)
const businessesOf = rowsAs(Schema.Struct({ business: Values, plan: Schema.String }))
const rowsOf = rowsAs(Schema.Struct({ row: Values }))

/** Makes `inSnapshot` of the domain's `BusinessRows`. */
export const makeBusinessSnapshot = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { blocks, businessTables, sum } = yield* makeBusinessTables

  /** The batches of a table's rows, or of those in some blocks, in the order of its key. */
  const forEachBatchOf = Effect.fnUntraced(function* <E, R>(
    businessId: BusinessId,
    moved: BusinessTable,
    only: ReadonlyArray<string> | undefined,
    use: (rows: ReadonlyArray<BusinessRow>) => Effect.Effect<void, E, R>
  ) {
    const { columns, key, table } = moved
    const isIn = only === undefined ? "" : `AND ${blockOf(moved)} = ANY ('{${only.join(",")}}')`
    const order = key.length === 0 ? "" : `ORDER BY ${key.join(", ")}`
    yield* execute(
      sql.unsafe(`
        DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM (
          SELECT ${quotedNames(columns)} FROM ${table} WHERE ${rowsThatMove(businessId, moved)} ${isIn} ${order}
        ) t`).unprepared
    )
    for (;;) {
      const rows = yield* rowsOf(sql.unsafe(`FETCH ${batchSize} FROM exported`).unprepared)
      yield* use(
        rows.map(({ row }) => {
          const { search } = row
          return {
            table,
            row: typeof search === "string" ? { ...row, search: withPrefix(search, businessId, 0) } : row
          }
        })
      )
      if (rows.length < batchSize) break
    }
    yield* execute(sql`CLOSE exported`.unprepared)
  })

  /** The business as the open transaction reads it; `None` if it is absent. */
  const snapshotOf = Effect.fnUntraced(function* (
    businessId: BusinessId,
    withLinks: boolean
  ): Effect.fn.Return<Option.Option<BusinessSnapshot>> {
    const [row] = yield* businessesOf(sql`
      SELECT to_jsonb(b) - ${notExported(withLinks)}::text[] AS business, p.code AS plan
      FROM businesses b JOIN plans p ON p.plan_id = b.subscription_plan_id WHERE b.business_id = ${businessId}`)
    if (row === undefined) return Option.none()
    const tables = yield* businessTables(withLinks)
    return Option.some({
      ...row,
      sums: Effect.gen(function* () {
        const sums: Record<string, TableSum> = {}
        for (const table of tables) sums[table.table] = yield* sum(businessId, table)
        return sums
      }),
      blocks: Effect.gen(function* () {
        const found: Record<string, RowBlocks> = {}
        for (const table of tables) found[table.table] = yield* blocks(businessId, table)
        return found
      }),
      forEachBatch: (use) =>
        Effect.forEach(tables, (table) => forEachBatchOf(businessId, table, undefined, use), {
          discard: true
        }),
      forEachBatchOf: ({ blocks: only, table: name }, use) =>
        Effect.forEach(
          tables.filter(({ table }) => table === name),
          (table) => forEachBatchOf(businessId, table, only, use),
          { discard: true }
        )
    })
  })

  const read = Effect.fnUntraced(function* <A, E, R>(
    businessId: BusinessId,
    use: (snapshot: BusinessSnapshot) => Effect.Effect<A, E, R>,
    withLinks: boolean
  ) {
    yield* execute(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`.unprepared)
    yield* execute(sql`SET LOCAL statement_timeout = 0`.unprepared)
    // What the rows are sent to may answer late.
    yield* execute(sql`SET LOCAL idle_in_transaction_session_timeout = 0`.unprepared)
    const snapshot = yield* snapshotOf(businessId, withLinks)
    return Option.isNone(snapshot) ? Option.none<A>() : Option.some(yield* use(snapshot.value))
  })

  return <A, E, R>(
    businessId: BusinessId,
    use: (snapshot: BusinessSnapshot) => Effect.Effect<A, E, R>,
    withLinks = false
  ): Effect.Effect<Option.Option<A>, E, R> =>
    Effect.catchIf(
      sql.withTransaction(read(businessId, use, withLinks)),
      // No caller can handle an error of the database here.
      (error: E | SqlError.SqlError): error is SqlError.SqlError => SqlError.isSqlError(error),
      Effect.die
    )
})
