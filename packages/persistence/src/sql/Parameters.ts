/**
 * Parameters as text, from which PostgreSQL reads the type that the statement asks for. A driver that sends types of
 * its own choice (int4 for a number) makes PostgreSQL refuse or convert what it would otherwise just read.
 */
import { Buffer } from "node:buffer"

const quoted = (text: string): string =>
  `"${text.includes('"') || text.includes("\\") ? text.replaceAll(/["\\]/gu, String.raw`\$&`) : text}"`

const elementOf = (value: unknown): string => {
  if (Array.isArray(value)) return pgArray(value)
  const text = textOf(value)
  if (text === null) return "NULL"
  return typeof value === "string" || typeof value === "object" ? quoted(text) : text
}

/** An array as PostgreSQL reads it: `{1,NULL,"two"}`. */
export const pgArray = (values: ReadonlyArray<unknown>): string => `{${values.map(elementOf).join(",")}}`

/** A parameter's text, `null` for SQL's NULL. Throws for what has none: an invalid date, an object within itself. */
export const textOf = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  if (typeof value === "string") return value
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint")
    return String(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return pgArray(value)
  if (value instanceof Uint8Array)
    return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex")}`
  return JSON.stringify(value)
}
