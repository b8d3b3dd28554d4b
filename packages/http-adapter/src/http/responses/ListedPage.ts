/** The reading of a list: the page that the query parameters request, within the time that a list may take. */
import { Duration, Effect } from "effect"
import { type Paged, paginationOf } from "@livery/contract"
import {
  defaultPerPage,
  InvalidInput,
  isStatementStopped,
  maxListDuration,
  type Page,
  type PageRequest,
  ReplicaRead,
  StatementLimit
} from "@livery/domain"

/** The query parameters of a list. `narrowBy` is the parameter that makes the list shorter. */
interface ListOptions {
  readonly defaultSize?: number
  readonly narrowBy?: string
}

/**
 * Reads a list within `maxListDuration`: the database stops a statement that takes longer. A replica may
 * answer. `InvalidInput` for the parameter that
 * makes the list shorter, `required` if the request does not have it, `out_of_range` if it does.
 */
export const withinListLimit = <A, E, R>(
  query: object,
  narrowBy: string,
  read: Effect.Effect<A, E, R>
): Effect.Effect<A, E | InvalidInput, R> =>
  read.pipe(
    Effect.provideService(StatementLimit, Duration.toMillis(maxListDuration)),
    Effect.provideService(ReplicaRead, true),
    Effect.catchCause((cause): Effect.Effect<never, E | InvalidInput> => {
      if (!isStatementStopped(cause)) return Effect.failCause(cause)
      const issue = narrowBy in query ? "out_of_range" : "required"
      const advice = `Reading this list takes more than 2 s: narrow it by ${narrowBy}.`
      return Effect.fail(new InvalidInput({ issues: [{ field: narrowBy, issue }], advice }))
    })
  )

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
