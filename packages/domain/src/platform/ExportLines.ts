/**
 * The format of an export: lines of JSON, each ended by a line feed.
 *
 *     {"livery_export":2,"business_id":7,"plan":"pro","business":{…}}
 *     {"table":"cars","row":{…}}
 *     {"end":true,"tables":{"cars":{"rows":1,"sum":"…"}},"sha256":"…"}
 *
 * The first line has the version of the format and the business's own row. The rows of a table stand together. The last line
 * has the sums of the tables, and the SHA-256 of all lines before it.
 */
import { Effect, Option, Schema, Stream } from "effect"
import { Conflict } from "../kernel/Errors.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { type BusinessRow, type RowValues, type TableSums, TableSum } from "./BusinessRows.ts"

/** The version of the format that this program writes and reads. */
const exportFormat = 2

const Values = Schema.Record(Schema.String, Schema.Json)
const Head = Schema.Struct({
  livery_export: Schema.Int,
  business_id: Schema.Int,
  plan: Schema.String,
  business: Values
})
const RowLine = Schema.fromJsonString(Schema.Struct({ table: Schema.String, row: Values }))
const End = Schema.Struct({
  end: Schema.Literal(true),
  tables: Schema.Record(Schema.String, TableSum),
  sha256: Schema.String
})
const decodeHead = Schema.decodeUnknownEffect(Schema.fromJsonString(Head))
const decodeRows = Schema.decodeUnknownEffect(Schema.NonEmptyArray(RowLine))
const decodeRow = Schema.decodeOption(RowLine)
const decodeEnd = Schema.decodeUnknownEffect(Schema.fromJsonString(End))

/** The first line of an export. */
export type ExportHead = typeof Head.Type

/** The last line of an export, without the checksum of the file. */
export type ExportEnd = Omit<typeof End.Type, "sha256">

/** A line of an export. */
export type ExportLine = ExportHead | BusinessRow | ExportEnd

/** The first line of the export of a business. */
export const exportHead = (businessId: number, plan: string, business: RowValues): ExportHead => ({
  livery_export: exportFormat,
  business_id: businessId,
  plan,
  business
})

/** An export that was read, whose checksum is right. */
export interface ExportedBusiness<E> {
  readonly sha256: string
  /** The id of the business on the installation that exported it. */
  readonly sourceId: number
  readonly plan: string
  readonly business: RowValues
  readonly tables: TableSums
  /** The columns of each table that has rows. */
  readonly columns: Readonly<Record<string, ReadonlyArray<string>>>
  /** The rows in their order, in batches of one table each. */
  readonly batches: Stream.Stream<ReadonlyArray<BusinessRow>, E>
}

/** The number of rows that are imported at once. */
const batchSize = 500

/** Groups rows into batches of one table each. */
const inBatches = Stream.mapAccumArray(
  (): Array<BusinessRow> => [],
  (rows, found: ReadonlyArray<BusinessRow>) => {
    const complete: Array<ReadonlyArray<BusinessRow>> = []
    let batch = rows
    for (const row of found) {
      if (batch.length >= batchSize || (batch[0] !== undefined && batch[0].table !== row.table)) {
        complete.push(batch)
        batch = []
      }
      batch.push(row)
    }
    return [batch, complete] as const
  },
  { onHalt: (rows) => (rows.length === 0 ? [] : [rows]) }
)

/** The columns of a row; none if the line is no row, which the checksum shows. */
const columnsOf = (line: string) =>
  Option.match(decodeRow(line), { onNone: () => [], onSome: ({ row }) => Object.keys(row) })

/**
 * Makes the functions that write and read exports.
 *
 * - `lineWriter`: starts an export. The function that it returns gives the text of each line, in their order; the last one
 *   gets the checksum.
 * - `readExport`: reads the text of an export once, and checks that it is complete and unchanged. `batches` reads it again.
 *   `Conflict` names the file if it is no complete export, if its format is another one, or if its checksum differs.
 */
export const makeExportLines = Effect.gen(function* () {
  const { incrementalSha256 } = yield* Cryptography

  const lineWriter = Effect.map(incrementalSha256, (checksum) =>
    Effect.fnUntraced(function* (line: ExportLine) {
      if ("end" in line) return `${JSON.stringify({ ...line, sha256: yield* checksum.digest })}\n`
      const text = `${JSON.stringify(line)}\n`
      checksum.add(text)
      return text
    })
  )

  /** The first and the last line, the columns of each table, and the checksum of all lines but the last. */
  const summaryOf = Effect.fnUntraced(function* <E>(lines: Stream.Stream<string, E>) {
    const checksum = yield* incrementalSha256
    const columns: Record<string, ReadonlyArray<string>> = {}
    let [first, last, table] = ["", "", ""]
    const add = (line: string) => {
      if (first === "") first = line
      if (last !== "") checksum.add(`${last}\n`)
      last = line
      // The rows of a table stand together.
      const [, name = ""] = /^\{"table":"(\w+)"/u.exec(line) ?? []
      if (name !== table && name !== "") columns[name] = columnsOf(line)
      table = name
    }
    yield* Stream.runForEachArray(lines, (read) => Effect.sync(() => read.forEach(add)))
    return { first, last, columns, sha256: yield* checksum.digest }
  })

  const readExport = Effect.fnUntraced(function* <E>(
    file: string,
    text: Stream.Stream<string, E>
  ): Effect.fn.Return<ExportedBusiness<E | Conflict>, E | Conflict> {
    const incomplete = new Conflict({ reason: `${file} is not a complete export of Livery` })
    const lines = Stream.splitLines(text)
    const { columns, first, last, sha256 } = yield* summaryOf(lines)
    const head = yield* Effect.mapError(decodeHead(first), () => incomplete)
    if (head.livery_export !== exportFormat)
      return yield* new Conflict({
        reason: `${file} has format ${head.livery_export}, and this Livery reads format ${exportFormat}: import it with the version that exported it`
      })
    const end = yield* Effect.mapError(decodeEnd(last), () => incomplete)
    if (end.sha256 !== sha256)
      return yield* new Conflict({
        reason: `${file} was changed after the export: its checksum differs`
      })
    const batches = lines.pipe(
      Stream.filter((line) => line.startsWith('{"table"')),
      Stream.mapArrayEffect((rows) => Effect.mapError(decodeRows(rows), () => incomplete)),
      inBatches
    )
    return {
      sha256,
      sourceId: head.business_id,
      plan: head.plan,
      business: head.business,
      tables: end.tables,
      columns,
      batches
    }
  })

  return { lineWriter, readExport }
})
