/**
 * One list of fields per record. A list gives the record's forms:
 *
 *     inputOf      the body that creates the record
 *     changesOf    the body that changes it
 *     storedOf     the record as stored, and the shape of its row
 *     recordOf     the record in responses
 *     encoderOf    the function from the stored record to the one in responses
 *
 * A new field is one line in the list and a column in the table.
 *
 * The schema of a long list gets a named interface, as in `interface TripInputSchema extends Inferred {}`. Declaration
 * files then contain the name. Without it, each would repeat all fields, and the compiler refuses types of that length.
 */
import { Effect, Schema, SchemaTransformation } from "effect"
import { check } from "./FieldIssue.ts"
import { orNull } from "./Optional.ts"
import { recordMaker } from "./RecordMaker.ts"
import type { Value } from "./Value.ts"

type AnySchema = Schema.Constraint

/**
 * Whose personal data a field holds: that of the person for whom the record was made, of another one whom it names, of anyone
 * whom a free text may mention, or nobody's.
 */
export type Person = "customer" | "booker" | "passenger" | "driver" | "user" | "anyone" | "nobody"

/** A reader of a record beside the office: the drivers, or the visitors of the booking page. */
export type Reader = "drivers" | "public"

/** What a field says about itself where it is declared. */
export interface Statement {
  /** A field that does not say is erased whenever its record is, unless its values can say nothing about a person. */
  readonly person?: Person
  /** A field that does not say is for the office alone. */
  readonly readers?: ReadonlyArray<Reader>
  /** Whether a copy of the record takes the field over. A field that does not say is copied. */
  readonly isCopied?: boolean
  /** Whether the field may change after the end of the record, which sends no event. A field that does not say may not. */
  readonly isEditableAfterEnd?: boolean
}

/** A field of a record. It occurs in the forms for which it has a schema. */
export interface Field extends Statement {
  readonly input?: AnySchema
  readonly change?: AnySchema
  readonly stored?: AnySchema
  readonly wire?: AnySchema
  readonly toWire?: ((stored: never) => unknown) | undefined
  /** Whether the field is a flag of the request and no part of the record. */
  readonly isFlag?: boolean
  /** The fields of the records in a list. */
  readonly itemFields?: Fields
}

/** The fields of a record by name, in the order of responses. */
export type Fields = Readonly<Record<string, Field>>

/** A field with what it says about itself. */
export const says = <const S extends Statement, F extends Field>(statement: S, field: F): F & S => ({
  ...field,
  ...statement
})

/** The fields of a record that holds no personal data, unless a field says that it does. */
export const ofNobody = <F extends Fields>(fields: F): F =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { person: "nobody", ...field }])
  ) as F

/** A field that Livery sets, not the caller. */
export const assigned = <R extends AnySchema, O extends AnySchema, S extends AnySchema, W extends AnySchema>({
  stored,
  toWire,
  wire
}: Value<R, O, S, W>) => ({ stored, wire, toWire })

/** A field that Livery sets, or `null`. */
export const assignedOrNull = <
  R extends AnySchema,
  O extends AnySchema,
  S extends AnySchema,
  W extends AnySchema
>({
  stored,
  toWire,
  wire
}: Value<R, O, S, W>) => ({
  stored: Schema.NullOr(stored),
  wire: Schema.NullOr(wire),
  toWire: toWire && ((value: S["Type"] | null) => (value === null ? null : toWire(value)))
})

/** A field that callers must send on creation. */
export const required = <R extends AnySchema, O extends AnySchema, S extends AnySchema, W extends AnySchema>(
  value: Value<R, O, S, W>
) => ({ input: value.required, change: Schema.optionalKey(value.required), ...assigned(value) })

/** A field that callers may leave out or clear, which makes it `null`. */
export const optional = <R extends AnySchema, O extends AnySchema, S extends AnySchema, W extends AnySchema>(
  value: Value<R, O, S, W>
) => ({
  input: orNull(value.optional),
  change: Schema.optionalKey(Schema.NullOr(value.optional)),
  ...assignedOrNull(value)
})

/** A field that callers may leave out on creation; absent and `null` decode to `defaultValue`. */
export const withDefault = <A, I, O extends AnySchema, S extends AnySchema, W extends AnySchema>(
  value: Value<Schema.Codec<A, I> & Schema.WithoutConstructorDefault, O, S, W>,
  defaultValue: A
) => ({
  input: Schema.NullOr(value.required).pipe(
    Schema.decodeTo(
      Schema.toType(value.required),
      SchemaTransformation.transform<A, A | null>({
        decode: (given) => given ?? defaultValue,
        encode: (given) => given
      })
    ),
    Schema.withDecodingDefaultKey(Effect.succeed(null)),
    Schema.withConstructorDefault(Effect.succeed(defaultValue))
  ),
  change: Schema.optionalKey(value.required),
  ...assigned(value)
})

/**
 * A field that the record always has and that callers may leave out on creation: absent and `null` decode to `null`, and
 * the use case determines the value, such as the business's currency. A change cannot clear it.
 */
export const determined = <
  R extends AnySchema,
  O extends AnySchema,
  S extends AnySchema,
  W extends AnySchema
>(
  value: Value<R, O, S, W>
) => ({
  input: orNull(value.optional),
  change: Schema.optionalKey(value.required),
  ...assigned(value)
})

/** A list or an object that is never `null`: absent and `null` decode to `empty`, on creation and in a change. */
export const emptyByDefault = <A, I, O extends AnySchema, S extends AnySchema, W extends AnySchema>(
  value: Value<Schema.Codec<A, I> & Schema.WithoutConstructorDefault, O, S, W>,
  empty: A
) => {
  const { input, ...stored } = withDefault(value, empty)
  const change = Schema.NullOr(value.required).pipe(
    Schema.decodeTo(
      Schema.toType(value.required),
      SchemaTransformation.transform<A, A | null>({
        decode: (given) => given ?? empty,
        encode: (given) => given
      })
    )
  )
  return { ...stored, input, change: Schema.optionalKey(change) }
}

/** A field that is stored and never returned. */
export const internal = <S extends AnySchema>({ stored }: { readonly stored: S }) => ({ stored })

/** A field that is stored, or `null`, and never returned. */
export const internalOrNull = <S extends AnySchema>({ stored }: { readonly stored: S }) => ({
  stored: Schema.NullOr(stored)
})

/** A field of responses that is computed from the record; `encoderOf` takes the function. */
export const computed = <W extends AnySchema>(wire: W) => ({ wire })

/** A field that callers may send or clear, and that is stored in another form than they send it. */
export const sentOrNull = <
  R extends AnySchema,
  O extends AnySchema,
  S extends AnySchema,
  W extends AnySchema
>({
  optional
}: Value<R, O, S, W>) => ({
  input: orNull(optional),
  change: Schema.optionalKey(Schema.NullOr(optional))
})

/** A field that holds a list of other records. */
export const list = <S extends AnySchema, W extends AnySchema>(item: {
  readonly stored: S
  readonly record: W
  readonly encode: (stored: S["Type"]) => W["Type"]
}) => ({
  stored: Schema.Array(item.stored),
  wire: Schema.Array(item.record),
  toWire: (items: ReadonlyArray<S["Type"]>): ReadonlyArray<W["Type"]> =>
    items.map((stored) => item.encode(stored))
})

/** A flag of a request, such as `force`. It is not part of the record, and a body that has only flags changes nothing. */
export const flag = <I extends AnySchema>(schema: I) => ({ input: schema, change: schema, isFlag: true })

/** A form in which fields occur. */
type Form = "input" | "change" | "stored" | "wire"

/** The schemas of the fields that occur in a form. */
export type SchemasOf<F extends Fields, In extends Form> = {
  readonly [K in keyof F as F[K] extends Readonly<Record<In, AnySchema>> ? K : never]: F[K] extends Readonly<
    Record<In, infer S extends AnySchema>
  >
    ? S
    : never
}

/** The fields that occur in a form, in the order of the list. */
const schemasOf = <F extends Fields, const In extends Form>(fields: F, form: In): SchemasOf<F, In> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const schema = field[form]
      return schema === undefined ? [] : [[name, schema]]
    })
  ) as SchemasOf<F, In>

/** The fields that a reader sees, in the order of the list. */
export const seenBy = <F extends Fields, R extends Reader>(fields: F, reader: R): FieldsSeenBy<F, R> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, { readers }]) => readers?.includes(reader))
  ) as FieldsSeenBy<F, R>

/** The fields that a reader sees. */
export type FieldsSeenBy<F extends Fields, R extends Reader> = {
  readonly [
    K in keyof F as F[K] extends { readonly readers: ReadonlyArray<infer Seen> }
      ? R extends Seen
        ? K
        : never
      : never
  ]: F[K]
}

/** The fields about which a condition holds. */
export const where = <F extends Fields>(fields: F, condition: (field: Field) => boolean): Partial<F> =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => condition(field))) as Partial<F>

/** Some fields of a list, in its order, for a record that shows part of another. */
export const pick = <F extends Fields, const Names extends ReadonlyArray<keyof F>>(
  fields: F,
  names: Names
): Pick<F, Names[number]> =>
  Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<F, Names[number]>

/** The body that creates the record. */
export const inputOf = <F extends Fields>(fields: F): Schema.Struct<SchemasOf<F, "input">> =>
  Schema.Struct(schemasOf(fields, "input"))

/** A body that changes a record must have at least one field. Flags do not count. */
const atLeastOneField = (flags: ReadonlyArray<string>) => {
  const ignored = new Set(flags)
  return check<object>("required", (changes) => Object.keys(changes).some((name) => !ignored.has(name)), {
    minProperties: 1
  })
}

/** Fields that replace those of a record; `null` clears a field that may be empty. */
export const overridesOf = <F extends Fields>(fields: F): Schema.Struct<SchemasOf<F, "change">> =>
  Schema.Struct(schemasOf(fields, "change"))

/** The body that changes the record: at least one field; `null` clears a field that may be empty. */
export const changesOf = <F extends Fields>(fields: F): Schema.Struct<SchemasOf<F, "change">> =>
  overridesOf(fields).check(atLeastOneField(Object.keys(fields).filter((name) => fields[name]?.isFlag)))

/** The record as stored. */
export const storedOf = <F extends Fields>(fields: F): Schema.Struct<SchemasOf<F, "stored">> =>
  Schema.Struct(schemasOf(fields, "stored"))

/** The record in responses. */
export const recordOf = <F extends Fields>(fields: F): Schema.Struct<SchemasOf<F, "wire">> =>
  Schema.Struct(schemasOf(fields, "wire"))

type StoredOf<F extends Fields> = Schema.Struct.Type<SchemasOf<F, "stored">>
type RecordOf<F extends Fields> = Schema.Struct.Type<SchemasOf<F, "wire">>

type ComputedFrom<F extends Fields, Context, K> = (
  stored: StoredOf<F>,
  context: Context
) => K extends keyof RecordOf<F> ? RecordOf<F>[K] : never

/** A function for each computed field, and for each stored one that responses return in another way. */
type Computed<F extends Fields, Context> = {
  readonly [K in Exclude<keyof SchemasOf<F, "wire">, keyof SchemasOf<F, "stored">>]: ComputedFrom<
    F,
    Context,
    K
  >
} & {
  readonly [K in keyof SchemasOf<F, "wire"> & keyof SchemasOf<F, "stored">]?: ComputedFrom<F, Context, K>
}

/** The fields of a record that has no computed ones. */
type WithoutComputed<F extends Fields> =
  Exclude<keyof SchemasOf<F, "wire">, keyof SchemasOf<F, "stored">> extends never ? F : never

/**
 * Builds the function that makes the record of responses from the stored one. `computed` has a function for each
 * computed field; `context` is what these need beside the record, such as the time zone.
 */
export function encoderOf<F extends Fields>(fields: WithoutComputed<F>): (stored: StoredOf<F>) => RecordOf<F>
export function encoderOf<F extends Fields, Context>(
  fields: F,
  computed: Computed<F, Context>
): (stored: StoredOf<F>, context: Context) => RecordOf<F>
export function encoderOf<F extends Fields, Context>(
  fields: F,
  computed?: Computed<F, Context>
): (stored: StoredOf<F>, context: Context) => RecordOf<F> {
  const functions: Readonly<Record<string, ((stored: never, context: never) => unknown) | undefined>> =
    computed ?? {}
  const make = recordMaker<never, never>(
    Object.keys(schemasOf(fields, "wire")).map((name) => {
      const compute = functions[name]
      return compute === undefined ? { name, from: name, convert: fields[name]?.toWire } : { name, compute }
    })
  )
  return make as unknown as (stored: StoredOf<F>, context: Context) => RecordOf<F>
}
