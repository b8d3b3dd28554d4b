/** The data of one business as lines of JSON, read in one snapshot of the database. */
import { NotFound, traced } from "@livery/domain"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { rowsAs } from "../sql/rows/Rows.ts"
import {
  type BusinessTable,
  businessTables,
  notExported,
  quotedNames,
  sumOf,
  type TableSum,
  withPrefix
} from "./BusinessTables.ts"

/** The number of rows that are read at once. */
const batchSize = 500

/** The business's own row, without the identifiers that the payment provider and this installation have for it. */
const businessesOf = rowsAs(
  Schema.Struct({ row: Schema.Record(Schema.String, Schema.Json), plan: Schema.String })
)
const rowsOf = rowsAs(Schema.Struct({ row: Schema.Record(Schema.String, Schema.Json) }))

/** The first line of an export. */
export interface ExportHead {
  readonly livery_export: 1
  readonly business_id: number
  readonly plan: string
  readonly business: Readonly<Record<string, unknown>>
}

/**
 * The last line of an export: the number and the checksum of the rows of each table, which the import compares. The
 * file's own checksum is added when the line is written.
 */
export interface ExportEnd {
  readonly end: true
  readonly tables: Readonly<Record<string, TableSum>>
}

const headOf = Effect.fnUntraced(function* (businessId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* businessesOf(sql`
    SELECT to_jsonb(b) - ${notExported}::text[] AS row,
      p.code AS plan
    FROM businesses b JOIN plans p ON p.plan_id = b.subscription_plan_id WHERE b.business_id = ${businessId}`)
  if (row === undefined) return yield* new NotFound({ resource: "business" })
  const head: ExportHead = { livery_export: 1, business_id: businessId, plan: row.plan, business: row.row }
  return head
})

/** Writes the rows of a table in the order of its key. `onBatch` gets the number of rows of each batch. */
const writeRows = Effect.fnUntraced(function* <E, R>(
  { columns, key, table }: BusinessTable,
  businessId: number,
  write: (line: unknown) => Effect.Effect<void, E, R>,
  onBatch: (rows: number) => void
) {
  const sql = yield* SqlClient.SqlClient
  const order = key.length === 0 ? "" : `ORDER BY ${key.join(", ")}`
  yield* sql.unsafe(`
    DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM (
      SELECT ${quotedNames(columns)} FROM ${table} WHERE business_id = ${businessId} ${order}
    ) t`).unprepared
  for (;;) {
    const rows = yield* rowsOf(sql.unsafe(`FETCH ${batchSize} FROM exported`).unprepared)
    for (const { row } of rows) {
      const { search } = row
      yield* write({
        table,
        row: typeof search === "string" ? { ...row, search: withPrefix(search, businessId, 0) } : row
      })
    }
    onBatch(rows.length)
    if (rows.length < batchSize) break
  }
  yield* sql`CLOSE exported`.unprepared
})

/**
 * Writes the lines of a business's export: the business, each row as `{ table, row }`, and the sums of the tables, which it
 * also returns.
 */
export const exportBusiness = traced("BusinessExport.exportBusiness")(function* <E, R>(options: {
  readonly businessId: number
  readonly write: (line: unknown) => Effect.Effect<void, E, R>
  readonly onProgress: (rows: number, total: number) => void
}) {
  const sql = yield* SqlClient.SqlClient
  const { businessId, onProgress, write } = options
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`.unprepared
      yield* sql`SET LOCAL statement_timeout = 0`.unprepared
      const head = yield* headOf(businessId)
      const tables = yield* businessTables
      const sums: Record<string, TableSum> = {}
      for (const table of tables) sums[table.table] = yield* sumOf(table, businessId)
      const total = Object.values(sums).reduce((sum, { rows }) => sum + rows, 0)
      yield* write(head)
      let written = 0
      for (const table of tables)
        yield* writeRows(table, businessId, write, (rows) => {
          written += rows
          onProgress(written, total)
        })
      const end: ExportEnd = { end: true, tables: sums }
      yield* write(end)
      return { rows: total, tables: sums }
    })
  )
})
