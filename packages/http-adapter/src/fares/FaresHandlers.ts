import { Effect, FileSystem, Path } from "effect"
import { HttpServerResponse } from "effect/http"
import { FareEstimates, Tariffs, TripFares } from "@livery/domain"
import { CurrentBusiness } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"
import { priceListOf } from "./PriceListForm.ts"

export const FaresHandlers = handlersOf("fares", function* (handlers) {
  const tariffs = yield* Tariffs
  const estimates = yield* FareEstimates
  const fares = yield* TripFares
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
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
    versions: forBusiness((acting, { params, query }) =>
      paged(query, (page) => tariffs.versions(acting, params.id, page))
    ),
    readVersion: forBusiness((acting, { params: { id, version } }) =>
      Effect.map(tariffs.version(acting, { tariff_id: id, version }), withEtag)
    ),
    importPrices: {
      raw: ({ params, request }) =>
        Effect.gen(function* () {
          const { csv, terms } = yield* priceListOf(request)
          return yield* tariffs.importPrices(yield* CurrentBusiness, params.id, csv, terms)
        }).pipe(
          // Only these two services: the scope of the form's temporary files must stay that of the request.
          Effect.provideService(FileSystem.FileSystem, files),
          Effect.provideService(Path.Path, paths),
          Effect.catchTags({
            FormTooLarge: () => Effect.succeed(HttpServerResponse.empty({ status: 413 })),
            NotAForm: () => Effect.succeed(HttpServerResponse.empty({ status: 415 }))
          })
        )
    },
    estimate: forBusiness((acting, { payload }) => estimates.estimate(acting, payload)),
    ofTrip: forBusiness((acting, { params }) => Effect.map(fares.get(acting, params.id), withEtag)),
    priceTrip: forBusiness((acting, { params, payload }) => fares.price(acting, params.id, payload))
  })
})
