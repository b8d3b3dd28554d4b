/** Pages of a list (specification, Pagination block and Limits). */
import { Schema } from "effect"
import { check } from "./FieldIssue.ts"

/** What a caller asks for: the 1-based page and how many items it holds. */
export interface PageRequest {
  readonly page: number
  readonly perPage: number
}

/** What a repository answers: the items, the exact total unless it is beyond {@link countedAtMost}, and whether more follow. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly total: number | undefined
  readonly hasMore: boolean
  /** Where to go on, of a list that can be walked so; only if more follow. */
  readonly nextCursor?: string | undefined
}

/** Totals are counted this far and no further, so that a list costs the same however long it grows. */
export const countedAtMost = 10_000

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
        "Opaque; sent as `cursor`, it gives what follows at the same cost at any depth, and nothing twice. " +
        "Only where more follow, of lists that take it."
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

/** Items before the page: how far a list is skipped. */
export const offsetOf = (request: PageRequest): number => (request.page - 1) * request.perPage

const within = (minimum: number, maximum: number) =>
  check<number>("out_of_range", (value) => value >= minimum && value <= maximum, { minimum, maximum })

/** `page` as a query parameter: a whole number from 1. */
export const PageNumber = Schema.Int.check(within(1, 1_000_000))

/** `per_page` as a query parameter: a whole number from 1 to 100. */
export const PerPage = Schema.Int.check(within(1, 100))

/** How many items a page holds unless asked for otherwise. */
export const defaultPerPage = 25
