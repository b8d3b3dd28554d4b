/** The words of a text search as PostgreSQL's `tsvector` and `tsquery`. */
import type { BusinessId } from "@livery/domain"

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
