/** Pages on the wire (docs/api/conventions.md). */
import { Effect, Schema } from "effect"
import { defaultPerPage, type Page, type PageRequest } from "@livery/domain"

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

/** Reads the page that the query parameters request, with its pagination block. */
export const paged = <A, E, R>(
  { page = 1, per_page }: { readonly page?: number; readonly per_page?: number },
  readPage: (request: PageRequest) => Effect.Effect<Page<A>, E, R>,
  defaultSize = defaultPerPage
): Effect.Effect<Paged<A>, E, R> => {
  const request = { page, perPage: per_page ?? defaultSize }
  return Effect.map(readPage(request), (records) => ({
    items: records.items,
    pagination: paginationOf(request, records)
  }))
}
