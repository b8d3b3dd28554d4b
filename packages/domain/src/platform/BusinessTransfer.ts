/** The move of a business to another installation (docs/operations/data.md). */
import { Context, Effect, Layer, type Stream } from "effect"
import { AuditLog } from "../audit/AuditLog.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import type { OnProgress } from "../kernel/Progress.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { makeBusinessArrival } from "./BusinessArrival.ts"
import { makeBusinessExport } from "./BusinessExport.ts"
import { type ImportOptions, makeBusinessImport } from "./BusinessImport.ts"
import { makeBusinessMove } from "./BusinessMove.ts"
import { makeExportLines } from "./ExportLines.ts"
import { makeMovedBusinesses } from "./MovedBusinesses.ts"
import { transferActions } from "./ImportedBusinesses.ts"

/** An export and the file that it is written to. */
export interface ExportRequest<E> {
  readonly businessId: BusinessId
  /** The author in the audit log. */
  readonly actor: string
  /** Adds a line, with its line feed, to the file. */
  readonly write: (line: string) => Effect.Effect<void, E>
  /** Runs once after the last line: makes the file durable and gives it its name. */
  readonly complete: Effect.Effect<void, E>
  readonly onProgress: OnProgress
}

/** An import and the file that it reads. */
export interface ImportRequest<E> extends ImportOptions {
  /** The name of the file, for messages. */
  readonly file: string
  /** The text of the file, in pieces of any length. It is read three times: to check it, for the rows and for their references. */
  readonly text: Stream.Stream<string, E>
}

/** The export and the import fail with the errors of the file too. */
export class BusinessTransfer extends Context.Service<BusinessTransfer>()("@livery/domain/BusinessTransfer", {
  make: Effect.gen(function* () {
    const audit = yield* AuditLog
    const { lineWriter, readExport } = yield* makeExportLines
    const writeLines = yield* makeBusinessExport
    const importRows = yield* makeBusinessImport
    const moves = yield* makeBusinessMove
    const arrivals = yield* makeBusinessArrival
    const whereabouts = yield* makeMovedBusinesses

    return {
      /** Moves of businesses from this installation to another one, while both run. */
      moves,

      /** Moves of businesses from another installation to this one. */
      arrivals,

      /** Where businesses are that have moved. */
      whereabouts,

      /**
       * Writes the data of a business as lines of JSON, from one snapshot. The audit log gets the entry when the file
       * is complete. `NotFound` if there is no such business.
       */
      exportBusiness: traced("BusinessTransfer.exportBusiness")(function* <E>({
        actor,
        businessId,
        complete,
        onProgress,
        write
      }: ExportRequest<E>) {
        const textOf = yield* lineWriter
        const made = yield* writeLines({
          businessId,
          write: (line) => Effect.flatMap(textOf(line), write),
          onProgress
        })
        yield* complete
        yield* audit.record({
          actor,
          action: transferActions.exported,
          subject: `business:${businessId}`,
          businessId,
          after: { rows: made.rows }
        })
        return made
      }),

      /**
       * Checks a file that `exportBusiness` wrote, and then stores the business under a new id. The business is
       * suspended until its rows equal those of the export, in number and checksum. After an interruption, another
       * import of the same file continues. `Conflict` if the file is not complete, was changed, is of another version
       * or was imported already, if the slug is taken or has a wrong form, or if the plan is not here.
       */
      importBusiness: traced("BusinessTransfer.importBusiness")(function* <E>({
        file,
        text,
        ...options
      }: ImportRequest<E>) {
        return yield* importRows(yield* readExport(file, text), options)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(BusinessTransfer, BusinessTransfer.make)
}
