/** Pages on the wire (docs/api/conventions.md). */
import { Schema } from "effect"
import type { Page, PageRequest } from "@livery/domain/records"

/** The `meta.pagination` block. `total` and `total_pages` are absent when the total was not counted. */
export const Pagination = Schema.Struct({
  page: Schema.Int,
  per_page: Schema.Int,
  count: Schema.Int,
  total: Schema.optionalKey(Schema.Int),
  total_pages: Schema.optionalKey(Schema.Int),
  has_more: Schema.Boolean,
  next_cursor: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "Opaque. Sent as `cursor`, it returns the next page, without repeating a record. " +
        "Present if there are more records and the list takes a `cursor`."
    })
  )
})
export type Pagination = typeof Pagination.Type

/** The pagination block of a page. */
export const paginationOf = <A>(request: PageRequest, page: Page<A>): Pagination => ({
  page: request.page,
  per_page: request.perPage,
  count: page.items.length,
  ...(page.total === undefined
    ? {}
    : { total: page.total, total_pages: Math.ceil(page.total / request.perPage) }),
  has_more: page.hasMore,
  ...(page.nextCursor === undefined ? {} : { next_cursor: page.nextCursor })
})

/** The default number of items on a page of the administration's lists. */
export const adminPerPage = 20

/** A page of records, as handlers return it. */
export interface Paged<A> {
  readonly items: ReadonlyArray<A>
  readonly pagination: Pagination
}
