/** Patterns of `LIKE` and `ILIKE`: searching by a part of a text. */
import type { SqlClient, Statement } from "effect/sql"
import { isRare, type Sampled } from "./Sample.ts"

/** A text with its wildcards escaped, so that the pattern takes them literally. */
const escaped = (text: string): string => text.replaceAll(/[\\%_]/gu, String.raw`\$&`)

/** The pattern of texts that contain this one. */
export const contains = (text: string): string => `%${escaped(text)}%`

/** Whether the text has three letters or digits in a row. A trigram index is read as a whole for any other text. */
const hasTrigram = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(text)

/**
 * The parts of a listing of `searchedPagesOf` that find the rows in which one of the columns contains the text, in any case.
 * Trigram indexes serve them.
 */
export const searchedFor = (
  sql: SqlClient.SqlClient,
  sampled: Sampled,
  columns: ReadonlyArray<string>,
  text: string
) => {
  const pattern = sql`${contains(text)}`
  const matchesOf = (like: Statement.Fragment) =>
    sql.or(columns.map((column) => sql`${sql.literal(column)} ILIKE ${like}`))
  // PostgreSQL does not look into a subquery when it plans, so it has the same plan for any pattern.
  const matchesAny = matchesOf(sql`(SELECT ${pattern}::text)`)
  const { alias, table } = sampled
  return {
    table,
    alias,
    matches: matchesOf(pattern),
    forAnyText: hasTrigram(text)
      ? { matches: matchesAny, isRare: isRare(sql, sampled, matchesAny) }
      : undefined
  }
}
