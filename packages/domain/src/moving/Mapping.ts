/** Which field each column of a table has. */
import { Option, Schema } from "effect"
import { columnNames, MapName, mapNames } from "./ColumnNames.ts"
import { fieldsOf, type ImportKind, neededFields } from "./ImportKind.ts"
import { folded } from "../kernel/search/Folding.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"

/** The column of a table: its header, and its field; null for a column that is not read. */
export const Column = Schema.Struct({ header: Schema.String, field: Schema.NullOr(Schema.String) })
export type Column = typeof Column.Type

/** A map that is sent: the field of each header; an empty text or null for a column that is not read. */
export const OwnMap = Schema.Record(Schema.String, Schema.NullOr(Schema.String))

const decodeText = Schema.decodeUnknownOption(Schema.Union([MapName, Schema.fromJsonString(OwnMap)]))

/** How the columns are mapped: a built-in map, the headers' own fields, or null, which tries all built-in maps. */
export const ImportMap = Schema.NullOr(Schema.Union([MapName, OwnMap]))
export type ImportMap = typeof ImportMap.Type

/** The text of a map: the name of a built-in one, or JSON; an empty text is null. */
export const mapOfText = (text: string) => (text === "" ? Option.some<ImportMap>(null) : decodeText(text))

/** The column that says why a line was refused; a mended file still has it. */
export const whyHeader = "why"

const keyOf = (header: string) => folded(header).replaceAll(/[^\p{L}\p{N}#&]+/gu, "")

/** The fields of a kind by the keys of their headers. The earlier map and the earlier field win. */
const fieldsByKey = (kind: ImportKind, maps: ReadonlyArray<MapName>): ReadonlyMap<string, string> => {
  const entries = [
    ...Object.keys(fieldsOf[kind]).map((field) => [keyOf(field), field] as const),
    ...maps.flatMap((map) =>
      Object.entries(columnNames[map][kind]).flatMap(([field, names]) =>
        names.map((name) => [keyOf(name), field] as const)
      )
    )
  ]
  return new Map(entries.toReversed())
}

/** The columns of a table with these headers. The first of several columns of one field is read. */
export const columnsFor = (kind: ImportKind, headers: ReadonlyArray<string>, map: ImportMap) => {
  const own = typeof map === "object" && map !== null ? map : {}
  const others = typeof map === "string" ? ([map, "plain"] as const) : mapNames
  const builtIn = fieldsByKey(kind, others)
  const ownByHeader = new Map(Object.entries(own))
  const ownByKey = new Map(Object.entries(own).map(([header, field]) => [keyOf(header), field]))
  const taken = new Set<string>(
    [...ownByKey.values()].filter((field): field is string => field !== null && field !== "")
  )
  const isFromOwn = new Set<string>()
  return headers.map((header): Column => {
    const key = keyOf(header)
    if (header.trim().toLowerCase() === whyHeader) return { header, field: null }
    const chosen = ownByHeader.has(header) ? ownByHeader.get(header) : ownByKey.get(key)
    if (chosen !== undefined) {
      if (chosen === null || chosen === "" || isFromOwn.has(chosen)) return { header, field: null }
      isFromOwn.add(chosen)
      return { header, field: chosen }
    }
    const field = builtIn.get(key)
    if (field === undefined || taken.has(field)) return { header, field: null }
    taken.add(field)
    return { header, field }
  })
}

/** What is wrong with a map: fields that the kind does not have, and headers that the table does not have. */
export const mapIssues = (
  kind: ImportKind,
  columns: ReadonlyArray<Column>,
  map: ImportMap
): ReadonlyArray<FieldIssue> => {
  const known = Object.keys(fieldsOf[kind])
  const headers = new Set(columns.map(({ header }) => keyOf(header)))
  const own = typeof map === "object" && map !== null ? Object.entries(map) : []
  return own.flatMap(([header, field]): ReadonlyArray<FieldIssue> => {
    if (!headers.has(keyOf(header))) return [{ field: `map.${header}`, issue: "not_found" }]
    return field === null || field === "" || known.includes(field)
      ? []
      : [{ field: `map.${header}`, issue: "unknown_value", accepted: known.join(", ") }]
  })
}

/** The columns that the kind needs and that the table does not have. */
export const missingColumns = (
  kind: ImportKind,
  columns: ReadonlyArray<Column>
): ReadonlyArray<FieldIssue> => {
  const found = new Set(columns.map(({ field }) => field))
  return neededFields[kind].flatMap((group): ReadonlyArray<FieldIssue> => {
    const [field = ""] = group
    return group.some((one) => found.has(one)) ? [] : [{ field: `columns.${field}`, issue: "required" }]
  })
}
