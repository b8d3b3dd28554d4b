import { Effect } from "effect"
import { AdminBusinesses } from "@livery/domain"
import { adminPerPage } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag } from "../http/responses/Etag.ts"

export const AdminBusinessesHandlers = handlersOf("adminBusinesses", function* (handlers) {
  const businesses = yield* AdminBusinesses
  return handlers({
    list: ({ query }) => paged(query, (page) => businesses.list(query, page), { defaultSize: adminPerPage }),
    read: ({ params }) => Effect.map(businesses.get(params.id), withEtag),
    usage: ({ params }) => businesses.usage(params.id),
    credits: ({ params, payload }) => businesses.addCredits(params.id, payload),
    suspend: ({ params, payload }) => businesses.setSuspended(params.id, payload),
    update: ({ headers, params, payload }) =>
      Effect.map(businesses.update(params.id, payload, preconditionOf(headers)), withEtag)
  })
})
