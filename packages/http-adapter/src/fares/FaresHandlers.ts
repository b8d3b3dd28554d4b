import { Effect, Schema } from "effect"
import {
  FareEstimates,
  maxPriceListLength,
  PriceListTerms,
  Tariffs,
  textOfBytes,
  TripFares
} from "@livery/domain"
import { CurrentBusiness } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"
import { fileFormOf, formFlag, makeFormRoute } from "../http/decoding/FileForms.ts"

const PriceListForm = Schema.Struct({ ...PriceListTerms.fields, replace: formFlag })

/** A character takes at most four bytes. */
const maxPriceListBytes = 4 * maxPriceListLength

export const FaresHandlers = handlersOf("fares", function* (handlers) {
  const tariffs = yield* Tariffs
  const estimates = yield* FareEstimates
  const fares = yield* TripFares
  const formRoute = yield* makeFormRoute
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
        formRoute(
          Effect.gen(function* () {
            const { bytes, terms } = yield* fileFormOf(request, PriceListForm, maxPriceListBytes)
            return yield* tariffs.importPrices(
              yield* CurrentBusiness,
              params.id,
              yield* textOfBytes(bytes),
              terms
            )
          })
        )
    },
    estimate: forBusiness((acting, { payload }) => estimates.estimate(acting, payload)),
    ofTrip: forBusiness((acting, { params }) => Effect.map(fares.get(acting, params.id), withEtag)),
    priceTrip: forBusiness((acting, { params, payload }) => fares.price(acting, params.id, payload))
  })
})
