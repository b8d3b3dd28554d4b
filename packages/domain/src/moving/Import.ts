/** An import: a table whose lines become records (docs/api/moving.md). */
import { Schema } from "effect"
import * as Field from "../kernel/fields/Field.ts"
import * as Value from "../kernel/fields/Value.ts"
import { BusinessId, ImportId } from "../kernel/Ids.ts"
import { ImportKind } from "./ImportKind.ts"
import { Column } from "./Mapping.ts"

const count = Value.wholeNumber(0, Number.MAX_SAFE_INTEGER)

/**
 * The fields of an import. `done` of its `lines` have an outcome. `reason` says why an import failed. `day_first` says how its days
 * are written, `attempts` how often its next lines failed. `delimiter` is what the file has between its cells; a comma for XLSX.
 */
const importFields = Field.ofNobody({
  import_id: Field.assigned(Value.id(ImportId)),
  business_id: Field.internal(Value.id(BusinessId)),
  kind: Field.internal({ stored: ImportKind }),
  as: Field.computed(ImportKind),
  dry_run: Field.assigned(Value.boolean),
  status: Field.computed(Schema.Literals(["running", "finished", "failed"])),
  columns: { stored: Schema.Array(Column), wire: Schema.Array(Column) },
  day_first: Field.internal(Value.boolean),
  delimiter: Field.internal(Value.unboundedText),
  lines: Field.assigned(count),
  done: Field.computed(Schema.Int),
  made: Field.assigned(count),
  matched: Field.assigned(count),
  changed: Field.assigned(count),
  refused: Field.assigned(count),
  attempts: Field.internal(count),
  reason: Field.assignedOrNull(Value.unboundedText),
  created_at: Field.assigned(Value.instant),
  finished_at: Field.assignedOrNull(Value.instant)
})

/** An import as stored. */
export const Import = Field.storedOf(importFields)
export type Import = typeof Import.Type

/** An import in a response. */
export const ImportRecord = Field.recordOf(importFields)
export type ImportRecord = typeof ImportRecord.Type

const doneOf = ({ changed, made, matched, refused }: Import) => changed + made + matched + refused

/** The record of an import. */
export const importRecord = Field.encoderOf<typeof importFields, undefined>(importFields, {
  as: ({ kind }) => kind,
  done: doneOf,
  status: ({ finished_at, reason }) =>
    finished_at === null ? "running" : reason === null ? "finished" : "failed"
})

/** Only imports that store records, or only those that do not. */
export interface ImportFilter {
  readonly dry_run?: boolean | undefined
}

/**
 * What an import would read of a table: the field of each column, the number of its lines and the first of them, and the fields that
 * a column can have. An import needs one field of each group of `needed`.
 */
export const ImportColumns = Schema.Struct({
  columns: Schema.Array(Column),
  lines: Schema.Int,
  first_lines: Schema.Array(Schema.Struct({ line: Schema.Int, cells: Schema.Array(Schema.String) })),
  fields: Schema.Array(Schema.String),
  needed: Schema.Array(Schema.Array(Schema.String))
})
export type ImportColumns = typeof ImportColumns.Type

/** What became of a line: a new record, a record that had the same values, one that got other values, or nothing. */
export const LineStatus = Schema.Literals(["made", "matched", "changed", "refused"])
export type LineStatus = typeof LineStatus.Type

/** A line as stored. Its number is that of the line in the file. */
export const ImportLine = Schema.Struct({
  line: Schema.Int,
  cells: Schema.Array(Schema.String),
  status: Schema.NullOr(LineStatus),
  record_id: Schema.NullOr(Schema.Int),
  reasons: Schema.Array(Schema.String)
})
export type ImportLine = typeof ImportLine.Type

/** A line in a response. `status` is null while the line waits. `reasons` say why it was refused. */
export const ImportLineRecord = Schema.Struct({
  line: Schema.Int,
  status: Schema.NullOr(LineStatus),
  record_id: Schema.NullOr(Schema.Int),
  reasons: Schema.Array(Schema.String),
  cells: Schema.Array(Schema.String)
})
export type ImportLineRecord = typeof ImportLineRecord.Type

/** Only lines of this status. */
export const ImportLineFilter = Schema.Struct({ status: Schema.optionalKey(LineStatus) })
export type ImportLineFilter = typeof ImportLineFilter.Type

/** The outcome of a line. */
export type LineOutcome = Omit<ImportLine, "cells" | "status"> & { readonly status: LineStatus }
