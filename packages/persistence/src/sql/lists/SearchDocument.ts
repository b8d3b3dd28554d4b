/** The words of a text search as PostgreSQL's `tsvector` and `tsquery`. */
import type { BusinessId } from "@livery/domain"
import type { SqlClient, Statement } from "effect/sql"

/**
 * A word of the index in PostgreSQL's syntax. It starts with the business's id, so that a search reads no other
 * business.
 */
const lexeme = (businessId: BusinessId, word: string) =>
  `'${businessId}:${word.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`

/** The `tsvector` of the words by which a record is found. */
export const documentOf = (businessId: BusinessId, words: ReadonlyArray<string>): string =>
  words.map((word) => lexeme(businessId, word)).join(" ")

/** The `tsquery` for records that have every word of one of the lists. Words match by prefix. */
export const documentQueryOf = (
  businessId: BusinessId,
  lists: ReadonlyArray<ReadonlyArray<string>>
): string =>
  lists.map((words) => words.map((word) => `${lexeme(businessId, word)}:*`).join(" & ")).join(" | ")

/**
 * The condition that rows of a table belong to the business, for a statement that reads an index of words. The words already
 * contain the business's id, but a distributed database finds the node of the business by this condition. It compares numbers
 * of another type, which no index has: for a comparison as `bigint`, PostgreSQL might read all rows of the business instead
 * of those with the words.
 */
export const besideWords = (
  sql: SqlClient.SqlClient,
  businessId: BusinessId,
  table: Statement.Fragment
): Statement.Fragment => sql`${table}.business_id = ${businessId}::numeric`
