/** Functions that make records of one shape. */

/** How a record gets one of its fields. */
export interface FieldSource<Source, Context> {
  readonly name: string
  /** The value's key in the source: the name of a field, or the position in a list. */
  readonly from?: string | number
  /** Converts the value of `from`. */
  readonly convert?: ((value: never) => unknown) | undefined
  /** Gives the value if the source has none under `from`, or if the field has no `from`. */
  readonly compute?: ((source: Source, context: Context) => unknown) | undefined
}

/** Makes a record from its source, and from a context. */
export type MakeRecord<Source, Context> = (source: Source, context: Context) => object

/** Makes the function that makes records of these fields, in their order. A field must not be called `__proto__`. */
export const recordMaker = <Source, Context>(
  fields: ReadonlyArray<FieldSource<Source, Context>>
): MakeRecord<Source, Context> => {
  if (fields.some(({ name }) => name === "__proto__"))
    throw new TypeError("A field cannot be called __proto__")
  return (source, context) => {
    const record: Record<string, unknown> = {}
    for (const { compute, convert, from, name } of fields) {
      const value = from === undefined ? undefined : (source as Readonly<Record<string, never>>)[from]
      if (compute !== undefined && value === undefined) record[name] = compute(source, context)
      else record[name] = convert === undefined ? value : convert(value as never)
    }
    return record
  }
}
