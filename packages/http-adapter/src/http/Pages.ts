/** Pages, as handlers give them. */
import { Effect } from "effect"
import { defaultPerPage, type Page, type PageRequest, paginationOf } from "@livery/domain"
import type { Paged } from "./Envelope.ts"

/** The page that the query parameters ask for, with its pagination block. */
export const paged = <A, E, R>(
  { page = 1, per_page: perPage = defaultPerPage }: { readonly page?: number; readonly per_page?: number },
  find: (request: PageRequest) => Effect.Effect<Page<A>, E, R>
): Effect.Effect<Paged<A>, E, R> => {
  const request = { page, perPage }
  return Effect.map(find(request), (found) => ({
    items: found.items,
    pagination: paginationOf(request, found)
  }))
}
