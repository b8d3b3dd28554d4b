import { Effect } from "effect"
import { TripTemplates } from "@livery/domain"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

export const TripTemplatesHandlers = handlersOf("tripTemplates", function* (handlers) {
  const templates = yield* TripTemplates
  return handlers({
    list: forBusiness((acting, { query }) => paged(query, (page) => templates.list(acting, page))),
    create: forBusiness((acting, { payload }) => templates.create(acting, payload)),
    read: forBusiness((acting, { params }) => Effect.map(templates.get(acting, params.id), withEtag)),
    update: forBusiness((acting, { headers, params, payload }) =>
      Effect.map(templates.update(acting, params.id, payload, preconditionOf(headers)), withEtag)
    ),
    remove: forBusiness((acting, { headers, params }) =>
      Effect.map(templates.remove(acting, params.id, preconditionOf(headers)), (record) =>
        withEtagOf(record, { deleted: true })
      )
    ),
    book: forBusiness((acting, { params, payload }) => templates.book(acting, params.id, payload))
  })
})
