import { Effect } from "effect"
import { FareEstimates, Tariffs, TripFares } from "@livery/domain"
import { CurrentBusiness } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

export const FaresHandlers = handlersOf("fares", function* (handlers) {
  const tariffs = yield* Tariffs
  const estimates = yield* FareEstimates
  const fares = yield* TripFares
  return handlers({
    list: forBusiness((acting, { query }) => paged(query, (page) => tariffs.list(acting, page))),
    create: forBusiness((acting, { payload }) => tariffs.create(acting, payload)),
    read: forBusiness((acting, { params }) => Effect.map(tariffs.get(acting, params.id), withEtag)),
    update: forBusiness((acting, { headers, params, payload }) =>
      Effect.map(tariffs.update(acting, params.id, payload, preconditionOf(headers)), withEtag)
    ),
    remove: Effect.fnUntraced(function* ({ headers, params }) {
      const last = yield* tariffs.remove(yield* CurrentBusiness, params.id, preconditionOf(headers))
      return withEtagOf(last, { deleted: true })
    }),
    estimate: forBusiness((acting, { payload }) => estimates.estimate(acting, payload)),
    ofTrip: forBusiness((acting, { params }) => Effect.map(fares.get(acting, params.id), withEtag)),
    priceTrip: forBusiness((acting, { params, payload }) => fares.price(acting, params.id, payload))
  })
})
