/** Patterns of `LIKE` and `ILIKE`: searching by a part of a text. */
import type { SqlClient, Statement } from "effect/sql"

/** A text with its wildcards escaped, so that the pattern takes them literally. */
const escaped = (text: string): string => text.replaceAll(/[\\%_]/gu, String.raw`\$&`)

/** The pattern of texts that contain this one. */
export const contains = (text: string): string => `%${escaped(text)}%`

/** The condition that one of the columns contains the text, in any case. Trigram indexes serve it. */
export const containedIn = (
  sql: SqlClient.SqlClient,
  columns: ReadonlyArray<string>,
  text: string
): Statement.Fragment => sql.or(columns.map((column) => sql`${sql.literal(column)} ILIKE ${contains(text)}`))
