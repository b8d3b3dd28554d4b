/** The data of one business as lines of JSON, read in one snapshot of the database. */
import { NotFound } from "@livery/domain"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { rowsAs } from "../sql/Rows.ts"
import { businessTables, notExported, sumOf, type TableSum, wordsOf } from "./BusinessTables.ts"

/** The number of rows that are read at once. */
const batch = 500

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

/**
 * Writes the lines of a business's export: the business, each row as `{ table, row }`, and the sums of the tables, which it
 * also returns.
 */
export const exportBusiness = Effect.fn("BusinessExport.exportBusiness")(function* <E, R>(options: {
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
      const [business] = yield* businessesOf(sql`
        SELECT to_jsonb(b) - ${notExported}::text[] AS row,
          p.code AS plan
        FROM businesses b JOIN plans p ON p.plan_id = b.subscription_plan_id WHERE b.business_id = ${businessId}`)
      if (business === undefined) return yield* new NotFound({ resource: "business" })
      const tables = yield* businessTables
      const sums: Record<string, TableSum> = {}
      for (const table of tables) sums[table.table] = yield* sumOf(table, businessId)
      const total = Object.values(sums).reduce((sum, { rows }) => sum + rows, 0)
      const head: ExportHead = {
        livery_export: 1,
        business_id: businessId,
        plan: business.plan,
        business: business.row
      }
      yield* write(head)
      let done = 0
      for (const { columns, key, table } of tables) {
        const order = key.length === 0 ? "" : `ORDER BY ${key.join(", ")}`
        yield* sql.unsafe(`
          DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM (
            SELECT ${columns.map((column) => `"${column}"`).join(", ")} FROM ${table} WHERE business_id = ${businessId} ${order}
          ) t`).unprepared
        for (;;) {
          const rows = yield* rowsOf(sql.unsafe(`FETCH ${batch} FROM exported`).unprepared)
          for (const { row } of rows) {
            const { search } = row
            yield* write({
              table,
              row: typeof search === "string" ? { ...row, search: wordsOf(search, businessId, 0) } : row
            })
          }
          done += rows.length
          onProgress(done, total)
          if (rows.length < batch) break
        }
        yield* sql`CLOSE exported`.unprepared
      }
      const end: ExportEnd = { end: true, tables: sums }
      yield* write(end)
      return { rows: total, tables: sums }
    })
  )
})
