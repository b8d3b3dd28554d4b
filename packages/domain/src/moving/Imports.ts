/** The use cases of imports (docs/api/moving.md). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { ActingBusiness } from "../business/Business.ts"
import { BusinessRepository } from "../business/BusinessRepository.ts"
import { PlanRepository } from "../business/PlanRepository.ts"
import { rehearsed } from "../kernel/DryRun.ts"
import { orNotFound, refuseIssues } from "../kernel/Errors.ts"
import type { ImportId } from "../kernel/Ids.ts"
import { csvLines } from "../kernel/CsvText.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { TripUnitOfWork } from "../trips/changes/TripUnitOfWork.ts"
import { dayFirstOf, valuesOf } from "./Cells.ts"
import {
  type Import,
  type ImportColumns,
  type ImportFilter,
  type ImportLine,
  type ImportLineFilter,
  type ImportLineRecord,
  importRecord,
  type LineOutcome
} from "./Import.ts"
import { fieldsOf, type ImportKind, neededFields } from "./ImportKind.ts"
import { type ImportPlace, ImportRepository } from "./ImportRepository.ts"
import { makeLineWork } from "./lines/LineWork.ts"
import { repetitionsIn } from "./Repetitions.ts"
import { columnsFor, type ImportMap, mapIssues, missingColumns, whyHeader } from "./Mapping.ts"
import { tableOf } from "./TableText.ts"

/** The lines of one transaction. */
export const linesPerBatch = 500

/** How many lines of a table are shown before it is imported. */
const shownLines = 3

/** After this many failures of the same lines, an import ends. */
const mostAttempts = 5

const lineRecord = ({ cells, line, reasons, record_id, status }: ImportLine): ImportLineRecord => ({
  line,
  status,
  record_id,
  reasons,
  cells
})

export class Imports extends Context.Service<Imports>()("@livery/domain/Imports", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const businesses = yield* BusinessRepository
    const plans = yield* PlanRepository
    const imports = yield* ImportRepository
    const workOf = yield* makeLineWork

    const find = Effect.fnUntraced(function* ({ business_id }: ActingBusiness, importId: ImportId) {
      return yield* orNotFound("import")(yield* imports.find(business_id, importId))
    })

    /** The outcomes of lines, with their changes undone in a dry run. */
    const outcomesOf = (acting: ActingBusiness, current: Import, lines: ReadonlyArray<ImportLine>) => {
      const style = { dayFirst: current.day_first }
      const read = lines.map(({ cells, line }) => ({
        line,
        values: valuesOf(current.kind, current.columns, cells, style)
      }))
      const work = workOf[current.kind](acting, read)
      return current.dry_run ? rehearsed(transaction, work) : work
    }

    return {
      /**
       * Stores the lines of a file, and returns its import. A worker makes the records, each batch of lines in one transaction.
       * `InvalidInput` for a file that is no table, for a map with fields or headers that there are not, and for a table without a
       * column that the kind needs. A line with the `external_ref` of an earlier line and other values is refused at once.
       */
      start: traced("Imports.start")(function* (
        acting: ActingBusiness,
        file: Uint8Array,
        kind: ImportKind,
        { dryRun, map }: { readonly dryRun: boolean; readonly map: ImportMap }
      ) {
        const { delimiter, headers, rows } = yield* tableOf(file)
        const columns = columnsFor(kind, headers, map)
        yield* refuseIssues([...mapIssues(kind, columns, map), ...missingColumns(kind, columns)])
        const started = {
          business_id: acting.business_id,
          kind,
          dry_run: dryRun,
          columns,
          day_first: dayFirstOf(kind, columns, rows, acting.timezone),
          delimiter
        }
        return yield* atomically(transaction, function* () {
          const made = yield* imports.start(started, rows, yield* DateTime.now)
          const repeated = repetitionsIn(columns, rows)
          if (repeated.length > 0) yield* imports.record(made, repeated)
          return importRecord({ ...made, refused: repeated.length }, undefined)
        })
      }),

      /**
       * What an import of a file would read of each column; nothing is stored. A column that the kind needs may be missing.
       * `InvalidInput` for a file that is no table, and for a map with fields or headers that there are not.
       */
      columns: traced("Imports.columns")(function* (file: Uint8Array, kind: ImportKind, map: ImportMap) {
        const { headers, rows } = yield* tableOf(file)
        const columns = columnsFor(kind, headers, map)
        yield* refuseIssues(mapIssues(kind, columns, map))
        return {
          columns,
          lines: rows.length,
          first_lines: rows.slice(0, shownLines),
          fields: Object.keys(fieldsOf[kind]),
          needed: neededFields[kind]
        } satisfies ImportColumns
      }),

      /** The imports of the business, the latest first. */
      list: traced("Imports.list")(function* (
        { business_id }: ActingBusiness,
        filter: ImportFilter,
        page: PageRequest
      ) {
        return mapPage(yield* imports.list(business_id, filter, page), (one) => importRecord(one, undefined))
      }),

      /** An import with its counts. */
      get: traced("Imports.get")(function* (acting: ActingBusiness, importId: ImportId) {
        return importRecord(yield* find(acting, importId), undefined)
      }),

      /** The lines of an import in the order of its file; after a week, they are removed. */
      lines: traced("Imports.lines")(function* (
        acting: ActingBusiness,
        importId: ImportId,
        { status }: ImportLineFilter,
        page: PageRequest
      ) {
        const place = yield* find(acting, importId)
        return mapPage(yield* imports.lines(place, status, page), lineRecord)
      }),

      /**
       * The refused lines as a CSV file: the headers and the delimiter of the file, and a column that says why each line was refused.
       * It begins with the mark of UTF-8, without which Excel shows the letters of other languages wrongly.
       */
      refused: traced("Imports.refused")(function* (acting: ActingBusiness, importId: ImportId) {
        const { columns, delimiter, ...place } = yield* find(acting, importId)
        const headers = columns.map(({ header }) => header)
        const isKept = headers.map((header) => header.trim().toLowerCase() !== whyHeader)
        const line = csvLines(delimiter)
        const lines = ["\uFEFF", line([...headers.filter((_, at) => isKept[at]), whyHeader])]
        for (let page = 1; ; page += 1) {
          const { hasMore, items } = yield* imports.lines(place, "refused", { page, perPage: linesPerBatch })
          for (const { cells, reasons } of items)
            lines.push(
              line([
                ...headers.flatMap((_, at) => (isKept[at] === true ? [cells[at] ?? ""] : [])),
                reasons.join("; ")
              ])
            )
          if (!hasMore) return lines.join("")
        }
      }),

      /** Works on the next lines of an import, in one transaction. Returns whether lines may wait. */
      work: traced("Imports.work")(function* (place: ImportPlace) {
        return yield* atomically(transaction, function* () {
          const locked = yield* imports.lock(place)
          const business = yield* businesses.find(place.business_id)
          if (Option.isNone(locked) || Option.isNone(business)) return false
          const current = locked.value
          const now = yield* DateTime.now
          const lines = yield* imports.waiting(place, linesPerBatch)
          if (lines.length > 0) {
            // Imports of one business work one after the other, so that a later one finds the records of the earlier one.
            yield* plans.lock(place.business_id)
            const outcomes: ReadonlyArray<LineOutcome> = yield* outcomesOf(
              ActingBusiness.make(business.value),
              current,
              lines
            )
            yield* imports.record(place, outcomes)
          }
          const hasMore = lines.length === linesPerBatch
          if (!hasMore || current.attempts > 0)
            yield* imports.update({ ...current, attempts: 0, finished_at: hasMore ? null : now })
          return hasMore
        })
      }),

      /** Counts a failure of the next lines. After several, the import ends, and says so. */
      noteFailure: traced("Imports.noteFailure")(function* (place: ImportPlace) {
        yield* atomically(transaction, function* () {
          const locked = yield* imports.lock(place)
          if (Option.isNone(locked)) return
          const attempts = locked.value.attempts + 1
          const [line] = yield* imports.waiting(place, 1)
          const hasEnded = attempts >= mostAttempts
          yield* imports.update({
            ...locked.value,
            attempts,
            finished_at: hasEnded ? yield* DateTime.now : null,
            reason: hasEnded
              ? `The server failed ${attempts} times from line ${String(line?.line)} on. The lines before it are stored; send the file again later`
              : null
          })
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Imports, Imports.make).pipe(Layer.provide(TripUnitOfWork.layer))
}
