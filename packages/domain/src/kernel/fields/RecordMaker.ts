/**
 * Functions that make records of one shape. They are on the fast path of each request: a list of trips makes 60 objects of
 * some 50 names.
 */

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

type AnyField = FieldSource<never, never>
type AnyFunction = (...args: ReadonlyArray<never>) => unknown

/**
 * An object literal as JavaScript, with the functions that it calls as `convert0`, `compute0` and so on:
 *
 *     ({ "trip_id": source["trip_id"], "total": compute1(source, context) })
 *
 * V8 makes such an object in one step and reads each field at a fixed place. A loop over the names reads and writes each
 * field by a search for its name, which takes twice as long.
 */
const literalOf = (fields: ReadonlyArray<AnyField>): string => {
  const entries = fields.map(({ compute, convert, from, name }, at) => {
    const key = JSON.stringify(name)
    const computed = `compute${at}(source, context)`
    if (from === undefined) return `${key}: ${computed}`
    const value = `source[${JSON.stringify(from)}]`
    const converted = convert === undefined ? "value" : `convert${at}(value)`
    if (compute !== undefined) return `${key}: (value = ${value}) === undefined ? ${computed} : ${converted}`
    return `${key}: ${convert === undefined ? value : `convert${at}(${value})`}`
  })
  return `(source, context) => { let value; return { ${entries.join(", ")} } }`
}

const compiledMaker = (fields: ReadonlyArray<AnyField>): MakeRecord<never, never> => {
  const functions = fields.flatMap(({ compute, convert }, at) => [
    [`compute${at}`, compute] as const,
    [`convert${at}`, convert] as const
  ])
  // The code has nothing of a request: only the names of fields and columns, which are ours, as quoted texts.
  // oxlint-disable-next-line typescript/no-implied-eval
  const make = new Function(
    ...functions.map(([name]) => name),
    `"use strict"; return ${literalOf(fields)}`
  ) as (...functions: ReadonlyArray<AnyFunction | undefined>) => MakeRecord<never, never>
  return make(...functions.map(([, value]) => value))
}

/** The same without generated code: for browsers and edge runtimes that forbid it. */
export const interpretedMaker =
  <Source, Context>(fields: ReadonlyArray<FieldSource<Source, Context>>): MakeRecord<Source, Context> =>
  (source, context) => {
    const record: Record<string, unknown> = {}
    for (const { compute, convert, from, name } of fields) {
      const value = from === undefined ? undefined : (source as Readonly<Record<string, never>>)[from]
      if (compute !== undefined && value === undefined) record[name] = compute(source, context)
      else record[name] = convert === undefined ? value : convert(value as never)
    }
    return record
  }

/**
 * Makes the function that makes records of these fields, in their order. A field must not be called `__proto__`, which in a
 * literal is not a field.
 */
export const recordMaker = <Source, Context>(
  fields: ReadonlyArray<FieldSource<Source, Context>>
): MakeRecord<Source, Context> => {
  if (fields.some(({ name }) => name === "__proto__"))
    throw new TypeError("A field cannot be called __proto__")
  try {
    return compiledMaker(fields) as MakeRecord<Source, Context>
  } catch (error) {
    if (error instanceof EvalError) return interpretedMaker(fields)
    throw error
  }
}
