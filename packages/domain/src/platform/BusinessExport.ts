/** The steps of an export. */
import { Effect } from "effect"
import { NotFound } from "../kernel/Errors.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import type { OnProgress } from "../kernel/Progress.ts"
import { BusinessRows, type TableSums } from "./BusinessRows.ts"
import { type ExportLine, exportHead } from "./ExportLines.ts"

/** The rows that an export has: their number, and the sums of the tables. */
export interface ExportedRows {
  readonly rows: number
  readonly tables: TableSums
}

/** The number of rows in all tables. */
export const totalRows = (tables: TableSums): number =>
  Object.values(tables).reduce((total, { rows }) => total + rows, 0)

/**
 * Makes the function that passes the lines of a business's export to `write`, from one snapshot: the business, each row, and
 * the sums of the tables. `NotFound` if there is no such business.
 */
export const makeBusinessExport = Effect.gen(function* () {
  const stored = yield* BusinessRows
  return Effect.fnUntraced(function* <E>({
    businessId,
    onProgress,
    write
  }: {
    readonly businessId: BusinessId
    readonly write: (line: ExportLine) => Effect.Effect<void, E>
    readonly onProgress: OnProgress
  }): Effect.fn.Return<ExportedRows, E | NotFound> {
    const exported = yield* stored.inSnapshot(
      businessId,
      Effect.fnUntraced(function* ({
        business,
        forEachBatch,
        plan,
        sums
      }): Effect.fn.Return<ExportedRows, E> {
        const tables = yield* sums
        const total = totalRows(tables)
        let written = 0
        yield* write(exportHead(businessId, plan, business))
        yield* forEachBatch(
          Effect.fnUntraced(function* (rows) {
            for (const row of rows) yield* write(row)
            written += rows.length
            onProgress(written, total)
          })
        )
        yield* write({ end: true, tables })
        return { rows: total, tables }
      })
    )
    return yield* Effect.mapError(Effect.fromOption(exported), () => new NotFound({ resource: "business" }))
  })
})
