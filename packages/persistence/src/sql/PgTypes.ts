import { types as builtin } from "pg"

type Parser = (text: string) => unknown

const builtinParser = builtin.getTypeParser as (oid: number, format?: "text" | "binary") => Parser

const texts = builtinParser(1009) as (text: string) => ReadonlyArray<string | null>

const safeInteger = (text: string): number => {
  const value = Number(text)
  if (Number.isSafeInteger(value)) return value
  throw new RangeError(`int8 ${text} does not fit a JavaScript number`)
}

// By type's oid: int8, date, timestamp and the arrays of int8, date, timestamp and numeric. A calendar date
// and a local time are no instants, and decimals no floats: they stay text.
const parsers = new Map<number, Parser>([
  [20, safeInteger],
  [1082, String],
  [1114, String],
  [1016, (text) => texts(text).map((item) => (item === null ? null : safeInteger(item)))],
  [1182, texts],
  [1115, texts],
  [1231, texts]
])

/**
 * How column values are read: int8 as a safe number (or not at all), numeric, date and timestamp as text,
 * timestamptz as a Date, json and jsonb parsed, the rest as pg does.
 */
export const types = {
  getTypeParser: (oid: number, format?: "text" | "binary"): Parser =>
    (format === "binary" ? undefined : parsers.get(oid)) ?? builtinParser(oid, format)
}
