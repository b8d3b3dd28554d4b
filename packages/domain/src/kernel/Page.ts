/** Pages of a list (docs/api/conventions.md). */
import { Duration, Schema } from "effect"
import { between } from "./fields/FieldIssue.ts"

/** A request for a page: its 1-based number and how many items it holds. */
export interface PageRequest {
  readonly page: number
  readonly perPage: number
}

/** A page: its items, the exact total unless it exceeds {@link maxCount}, and whether more follow. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly total: number | undefined
  readonly hasMore: boolean
  /** The cursor of the next page, for lists that have cursors; only if more follow. */
  readonly nextCursor?: string | undefined
}

/** The page with each item converted. */
export const mapPage = <A, B>(page: Page<A>, convert: (item: A) => B): Page<B> => ({
  ...page,
  items: page.items.map((item) => convert(item))
})

/** The limit of counted totals, so that the cost of a list does not grow with its length. */
export const maxCount = 1000

/** How long a list may take to be read. A list that takes longer is refused, with a filter to add. */
export const maxListDuration = Duration.seconds(2)

/** The number of items before the page, which are skipped. */
export const offsetOf = (request: PageRequest): number => (request.page - 1) * request.perPage

/** The largest number of a page. */
export const maxPage = 1_000_000

/** `page` as a query parameter: a whole number from 1. */
export const PageNumber = Schema.Int.check(between(1, maxPage))

/** `per_page` as a query parameter: a whole number from 1 to 100. */
export const PerPage = Schema.Int.check(between(1, 100))

/** `per_page` of the dispatch board, whose screen shows a whole day: from 1 to 500. */
export const BoardPerPage = Schema.Int.check(between(1, 500))

/** The default number of items on a page. */
export const defaultPerPage = 25
