/** Searching by a part of a text. */
import type { SqlClient, Statement } from "effect/sql"

/** The pattern of `ILIKE` that finds a text anywhere, with the wildcards in it taken literally. */
const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/gu, "\\$&")}%`

/** Whether one of the columns contains the text, in any case. Trigram indexes serve it. */
export const anyContaining = (
  sql: SqlClient.SqlClient,
  columns: ReadonlyArray<string>,
  text: string
): Statement.Fragment =>
  sql.or(columns.map((column) => sql`${sql.literal(column)} ILIKE ${containing(text)}`))
