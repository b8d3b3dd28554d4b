/** The steps of an export and an import on rows in memory, without a file. */
import { type ImportOptions, makeBusinessExport, makeBusinessImport } from "@livery/domain"
import type { BusinessId, ExportedBusiness, ExportLine, OnProgress } from "@livery/domain"
import { Effect } from "effect"

export const BusinessExport = {
  exportBusiness: <E>(options: {
    readonly businessId: BusinessId
    readonly write: (line: ExportLine) => Effect.Effect<void, E>
    readonly onProgress: OnProgress
  }) => Effect.flatMap(makeBusinessExport, (exportBusiness) => exportBusiness(options))
}

export const BusinessImport = {
  importBusiness: <E>(exported: ExportedBusiness<E>, options: ImportOptions) =>
    Effect.flatMap(makeBusinessImport, (importBusiness) => importBusiness(exported, options))
}
