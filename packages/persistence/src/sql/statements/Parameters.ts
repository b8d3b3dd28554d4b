/**
 * Converts parameters to text, which PostgreSQL parses as the type that the statement requires. If a driver chooses the
 * types (int4 for a number), PostgreSQL refuses or converts some values.
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

/** An array in PostgreSQL's syntax: `{1,NULL,"two"}`. */
export const pgArray = (values: ReadonlyArray<unknown>): string => `{${values.map(elementOf).join(",")}}`

/** A parameter's text, `null` for SQL's NULL. Throws for a value without one: an invalid date, a circular object. */
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
