/**
 * Lists of an input. The length is checked before the items, because checking items is expensive: half a million wrong
 * items fit into one request, and would block the process for seconds.
 */
import { Schema } from "effect"
import { check } from "./FieldIssue.ts"

/** How many items a list may have. */
export interface ListBounds {
  /** 0 by default. A shorter list is `required`. */
  readonly least?: number
  /** A longer list is `too_long`. */
  readonly most: number
}

/** The JSON Schema of a schema that stands within another one, so it has no definitions of its own. */
export const jsonSchemaOf = (item: Schema.Constraint) => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(item)
  if (Object.keys(definitions).length > 0)
    throw new Error("A nested schema is described in place: leave out its identifiers")
  return schema
}

/**
 * An array of between `least` and `most` items. The items are described in OpenAPI, but they are not checked, neither
 * on decoding nor on encoding to JSON.
 */
export const boundedList = <I>({ least = 0, most }: ListBounds, item: Schema.Constraint) =>
  Schema.declare((value: unknown): value is ReadonlyArray<I> => Array.isArray(value), {
    toCodecJson: () => undefined
  }).check(
    check<ReadonlyArray<I>>("required", ({ length }) => length >= least),
    check<ReadonlyArray<I>>("too_long", ({ length }) => length <= most, {
      type: "array",
      ...(least === 0 ? {} : { minItems: least }),
      maxItems: most,
      items: jsonSchemaOf(item)
    })
  )

/** A list of items, whose length is checked before any item is decoded. */
export const listOf = <A, I>(
  item: Schema.Codec<A, I>,
  bounds: ListBounds
): Schema.Codec<ReadonlyArray<A>, ReadonlyArray<I>> & Schema.WithoutConstructorDefault =>
  boundedList<I>(bounds, item).pipe(Schema.decodeTo(Schema.Array(item)))
