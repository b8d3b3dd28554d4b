import { Effect, Schema } from "effect"
import {
  BusinessId,
  Import,
  ImportId,
  ImportLine,
  type ImportPlace,
  ImportRepository,
  type LineOutcome
} from "@livery/domain"
import { pagesOf } from "../sql/lists/Pages.ts"
import { columnsOf } from "../sql/rows/Columns.ts"
import { execute, firstOf, instant, oneRow, rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const imports = rowsAs(Import)
const lines = rowsAs(ImportLine)
const importPages = pagesOf(Import)
const linePages = pagesOf(ImportLine)
const places = rowsAs(Schema.Struct({ business_id: BusinessId, import_id: ImportId }))

/** The lines of one insert: a statement has one parameter with all of them. */
const linesPerInsert = 5000

export const layer = onPostgres(ImportRepository, (sql) => {
  const columns = sql.literal(columnsOf(Import))
  const lineColumns = sql.literal(columnsOf(ImportLine))
  const isAt = ({ business_id, import_id }: ImportPlace) =>
    sql`business_id = ${business_id} AND import_id = ${import_id}`

  return {
    start: Effect.fnUntraced(function* (
      { business_id, columns: read, day_first, delimiter, dry_run, kind },
      rows,
      now
    ) {
      const made = yield* oneRow(
        imports(sql`
          INSERT INTO imports (business_id, kind, dry_run, columns, day_first, delimiter, lines, created_at)
          VALUES (${business_id}, ${kind}, ${dry_run}, ${JSON.stringify(read)}, ${day_first}, ${delimiter}, ${rows.length}, ${instant(now)})
          RETURNING ${columns}`)
      )
      for (let from = 0; from < rows.length; from += linesPerInsert)
        yield* execute(sql`
          INSERT INTO import_lines (business_id, import_id, line, cells, reasons)
          SELECT ${business_id}::bigint, ${made.import_id}::bigint, l.line, l.cells, '[]'
          FROM jsonb_to_recordset(${JSON.stringify(rows.slice(from, from + linesPerInsert))}::jsonb)
            AS l (line integer, cells jsonb)`)
      return made
    }),
    find: (businessId, importId) =>
      firstOf(
        imports(
          sql`SELECT ${columns} FROM imports WHERE business_id = ${businessId} AND import_id = ${importId}`
        )
      ),
    list: (businessId, { dry_run }, page) =>
      importPages(sql, page, {
        columns,
        from: sql.literal("imports"),
        where: sql.and([
          sql`business_id = ${businessId}`,
          ...(dry_run === undefined ? [] : [sql`dry_run = ${dry_run}`])
        ]),
        order: sql.literal("import_id DESC")
      }),
    lines: (place, status, page) => {
      const hasStatus = status === undefined ? sql`true` : sql`status = ${status}`
      return linePages(sql, page, {
        columns: lineColumns,
        from: sql.literal("import_lines"),
        where: sql`${isAt(place)} AND ${hasStatus}`,
        order: sql.literal("line")
      })
    },
    unfinished: (most) =>
      places(sql`
        SELECT business_id, import_id FROM imports WHERE finished_at IS NULL ORDER BY import_id LIMIT ${most}`),
    lock: (place) =>
      firstOf(
        imports(sql`
          SELECT ${columns} FROM imports WHERE ${isAt(place)} AND finished_at IS NULL
          FOR NO KEY UPDATE SKIP LOCKED`)
      ),
    waiting: (place, most) =>
      lines(sql`
        SELECT ${lineColumns} FROM import_lines WHERE ${isAt(place)} AND status IS NULL
        ORDER BY line LIMIT ${most}`),
    record: Effect.fnUntraced(function* (place, outcomes: ReadonlyArray<LineOutcome>) {
      const { business_id, import_id } = place
      yield* execute(sql`
        UPDATE import_lines l SET status = o.status, record_id = o.record_id, reasons = o.reasons
        FROM jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb)
          AS o (line integer, status text, record_id bigint, reasons jsonb)
        WHERE l.business_id = ${business_id} AND l.import_id = ${import_id} AND l.line = o.line`)
      const count = (status: string) => outcomes.filter((one) => one.status === status).length
      yield* execute(sql`
        UPDATE imports SET made = made + ${count("made")}, matched = matched + ${count("matched")},
          changed = changed + ${count("changed")}, refused = refused + ${count("refused")}
        WHERE ${isAt(place)}`)
    }),
    update: (changed) => {
      const { attempts, finished_at, reason } = changed
      return execute(sql`
        UPDATE imports SET attempts = ${attempts}, reason = ${reason},
          finished_at = ${finished_at === null ? null : instant(finished_at)}
        WHERE ${isAt(changed)}`)
    },
    removeLines: (endedBefore) =>
      execute(sql`
        DELETE FROM import_lines l USING (
          SELECT i.business_id, i.import_id FROM imports i
          WHERE i.finished_at < ${instant(endedBefore)} AND EXISTS (
            SELECT FROM import_lines k WHERE k.business_id = i.business_id AND k.import_id = i.import_id)
          ORDER BY i.finished_at LIMIT 100) old
        WHERE l.business_id = old.business_id AND l.import_id = old.import_id`)
  }
})
