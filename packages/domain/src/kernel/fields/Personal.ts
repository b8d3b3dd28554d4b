/**
 * Personal data by field. Each field says where it is declared whose data it holds (`Statement.person` of `Field.ts`), and an
 * erasure follows from that.
 */
import { Schema } from "effect"
import type { Field, Fields, Person, SchemasOf } from "./Field.ts"

/** The text in place of a required one: a name, an address. */
export const erasedText = "Erased"

type Ast = Schema.Top["ast"]

const accepts = (schema: Schema.Constraint, value: unknown) => Schema.is(schema as Schema.Top)(value)

/** Whether a value can say nothing about a person: a whole number, an instant, one of a few words. */
const isPlain = (ast: Ast): boolean => {
  switch (ast._tag) {
    case "Boolean":
    case "Declaration":
    case "Literal":
    case "Null":
      return true
    case "Number":
      return !accepts(Schema.make(ast), 0.5)
    case "Union":
      return ast.types.every(isPlain)
    default:
      return false
  }
}

/** The schema of a field's value in the record. */
const schemaOf = ({ change, input, stored, wire }: Field) => stored ?? wire ?? input ?? change

/** Whether a field must say whose data it holds: it has a text, a place, a list or an object. */
export const mustSay = (field: Field): boolean => {
  const schema = schemaOf(field)
  return field.isFlag !== true && schema !== undefined && !isPlain(Schema.toType(schema as Schema.Top).ast)
}

/** Whose data a field holds. A field that says nothing may be about anyone, unless its values can say nothing about a person. */
export const personOf = (field: Field): Person => field.person ?? (mustSay(field) ? "anyone" : "nobody")

/** Whether a field holds personal data. */
export const isPersonal = (field: Field): boolean => personOf(field) !== "nobody"

/** The value of an erased field: null where that is allowed, an empty list or object, or {@link erasedText}. */
export const erasedValueOf = ({ stored }: Field): unknown =>
  [null, [], {}, erasedText].find((value) => stored !== undefined && accepts(stored, value))

/** The stored personal fields of a record with their erased values. */
export const erasedOf = <F extends Fields>(fields: F): Partial<Schema.Struct.Type<SchemasOf<F, "stored">>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.stored !== undefined && isPersonal(field) ? [[name, erasedValueOf(field)]] : []
    )
  ) as Partial<Schema.Struct.Type<SchemasOf<F, "stored">>>

/** The stored fields of a record that has none of them. */
export const emptyOf = <F extends Fields>(fields: F): Schema.Struct.Type<SchemasOf<F, "stored">> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.stored === undefined ? [] : [[name, erasedValueOf(field)]]
    )
  ) as Schema.Struct.Type<SchemasOf<F, "stored">>

/**
 * The names of the personal fields of records for which a condition holds, with those of the records in lists that are not
 * personal themselves.
 */
const namesWhere = (
  records: ReadonlyArray<Fields>,
  condition: (field: Field) => boolean
): ReadonlyArray<string> => [
  ...new Set(
    records.flatMap((fields) =>
      Object.entries(fields).flatMap(([name, field]) => [
        ...(isPersonal(field) && condition(field) ? [name] : []),
        ...(field.itemFields === undefined || isPersonal(field)
          ? []
          : namesWhere([field.itemFields], condition))
      ])
    )
  )
]

/** The names of the personal fields of records, with those of the records in lists that are not personal themselves. */
export const personalNamesOf = (...records: ReadonlyArray<Fields>): ReadonlyArray<string> =>
  namesWhere(records, () => true)

/** The names of the personal texts that a record cannot lack. */
export const requiredTextsOf = (...records: ReadonlyArray<Fields>): ReadonlyArray<string> =>
  namesWhere(records, (field) => erasedValueOf(field) === erasedText)

/** The names of the stored fields of a record whose texts may mention a person. */
export const personalTextsOf = (fields: Fields): ReadonlyArray<string> =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.stored !== undefined &&
    (field.itemFields !== undefined || (isPersonal(field) && !accepts(field.stored, 0.5)))
      ? [name]
      : []
  )
