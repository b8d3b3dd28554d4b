/** Pages on the wire (docs/api/conventions.md). */
import { Deferred, Effect, Exit, Schema } from "effect"
import {
  defaultPerPage,
  InvalidInput,
  maxListDuration,
  type Page,
  type PageRequest,
  StatementStart
} from "@livery/domain"

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

/** The query parameters of a list. `narrowBy` is the parameter that makes the list shorter. */
interface ListOptions {
  readonly defaultSize?: number
  readonly narrowBy?: string
}

/**
 * Reads a list within `maxListDuration`, and stops the statement then: `InvalidInput` for the parameter that makes the list
 * shorter, `required` if the request does not have it, `out_of_range` if it does. The time counts from the first statement: a
 * list that waits for a session of the database is not too long.
 */
export const withinListLimit = <A, E, R>(
  query: object,
  narrowBy: string,
  read: Effect.Effect<A, E, R>
): Effect.Effect<A, E | InvalidInput, R> =>
  Effect.suspend(() => {
    const started = Deferred.makeUnsafe<void>()
    const limited = Effect.provideService(read, StatementStart, () => {
      Deferred.doneUnsafe(started, Exit.void)
    })
    const refused = Effect.suspend(() => {
      const issue = narrowBy in query ? "out_of_range" : "required"
      const advice = `Reading this list takes more than 2 s: narrow it by ${narrowBy}.`
      return Effect.fail(new InvalidInput({ issues: [{ field: narrowBy, issue }], advice }))
    })
    const limit = Deferred.await(started).pipe(
      Effect.andThen(Effect.sleep(maxListDuration)),
      Effect.andThen(refused)
    )
    return Effect.raceFirst(limited, limit)
  })

/** Reads the page that the query parameters request, with its pagination block, as by {@link withinListLimit}. */
export const paged = <A, E, R>(
  query: { readonly page?: number; readonly per_page?: number },
  readPage: (request: PageRequest) => Effect.Effect<Page<A>, E, R>,
  { defaultSize = defaultPerPage, narrowBy = "per_page" }: ListOptions = {}
): Effect.Effect<Paged<A>, E | InvalidInput, R> => {
  const request = { page: query.page ?? 1, perPage: query.per_page ?? defaultSize }
  return Effect.map(withinListLimit(query, narrowBy, readPage(request)), (records) => ({
    items: records.items,
    pagination: paginationOf(request, records)
  }))
}
