/** Imports of tables (docs/api/moving.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  check,
  ImportColumns,
  ImportId,
  ImportKind,
  ImportLineFilter,
  ImportLineRecord,
  ImportRecord
} from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, flag, paging, recordId, summary } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { tagged } from "../http/SafeEdits.ts"

/** A table as a file of a form, for the documentation. The handler reads the request itself. */
const TableFile = Schema.String.check(check<string>("invalid", () => true, { format: "binary" }))

const params = { id: recordId(ImportId) }

const table = {
  file: TableFile,
  as: ImportKind,
  map: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "`plain`, `limo_anywhere`, `moovs`, or a JSON object with the field of each header; by default, the built-in maps are tried."
    })
  )
}

/** The routes under `/imports`. For API keys and members with a right in the area `settings`. */
export const ImportsApi = HttpApiGroup.make("imports")
  .add(
    HttpApiEndpoint.post("start", "/", {
      payload: Schema.Struct({
        ...table,
        dry_run: Schema.optionalKey(Schema.Literals(["true", "false"]))
      }).pipe(HttpApiSchema.asMultipart()),
      success: data(ImportRecord, "ImportStartedBody").pipe(HttpApiSchema.status(202)),
      error: wireErrors.malformed
    }).annotateMerge(
      summary(
        "Import a table, CSV or XLSX, in the background; a record that the business has already is matched, so that the same table twice changes nothing"
      )
    ),
    HttpApiEndpoint.get("list", "/", {
      query: { ...paging, dry_run: Schema.optionalKey(flag) },
      success: list(ImportRecord, "ImportListBody")
    }).annotateMerge(
      summary(
        "The imports of the business, the latest first; optionally only those with, or without, `dry_run`"
      )
    ),
    HttpApiEndpoint.post("columns", "/columns", {
      payload: Schema.Struct(table).pipe(HttpApiSchema.asMultipart()),
      success: data(ImportColumns, "ImportColumnsBody"),
      error: wireErrors.malformed
    }).annotateMerge(
      summary(
        "What an import of a table would read of each column, with its first lines and the fields to choose from; nothing is stored"
      )
    ),
    HttpApiEndpoint.get("read", "/:id", {
      params,
      success: tagged(data(ImportRecord, "ImportBody")),
      error: wireErrors.notFound
    }).annotateMerge(summary("An import with its progress and its counts")),
    HttpApiEndpoint.get("lines", "/:id/lines", {
      params,
      query: { ...paging, ...ImportLineFilter.fields },
      success: list(ImportLineRecord, "ImportLineListBody"),
      error: wireErrors.notFound
    }).annotateMerge(summary("What became of each line of an import, in the order of its file, for a week")),
    HttpApiEndpoint.get("refused", "/:id/refused", {
      params,
      success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "text/csv" })),
      error: wireErrors.notFound
    }).annotateMerge(
      summary(
        "The refused lines as CSV with the reason of each in the column `why`; import it again once it is mended"
      )
    )
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("settings"))
  .prefix(`${basePath}/imports`)
  .annotateMerge(OpenApi.annotations({ title: "Imports" }))
