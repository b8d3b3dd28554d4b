import { Effect } from "effect"
import { Cars } from "@livery/domain"
import { CurrentBusiness, isConfirmed } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { bulkResultsOf } from "../http/responses/BulkResults.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

export const CarsHandlers = handlersOf("cars", function* (handlers) {
  const cars = yield* Cars
  return handlers({
    list: forBusiness((acting, { query }) => paged(query, (page) => cars.list(acting, query, page))),
    create: forBusiness((acting, { payload }) => cars.create(acting, payload)),
    createMany: forBusiness((acting, { payload }) => bulkResultsOf(cars.createMany(acting, payload))),
    read: forBusiness((acting, { params }) => Effect.map(cars.get(acting, params.id), withEtag)),
    update: forBusiness((acting, { headers, params, payload }) =>
      Effect.map(cars.update(acting, params.id, payload, preconditionOf(headers)), withEtag)
    ),
    remove: Effect.fnUntraced(function* ({ headers, params, payload }) {
      const terms = { force: isConfirmed(payload), precondition: preconditionOf(headers) }
      return withEtagOf(yield* cars.remove(yield* CurrentBusiness, params.id, terms), { deleted: true })
    })
  })
})
