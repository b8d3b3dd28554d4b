import { Effect } from "effect"
import { FareEstimates, Tariffs, TripFares } from "@livery/domain"
import { Api, CurrentBusiness } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"

export const FaresHandlers = handlersOf(
  Api,
  "fares",
  Effect.fn(function* (handlers) {
    const tariffs = yield* Tariffs
    const estimates = yield* FareEstimates
    const fares = yield* TripFares
    return handlers({
      list: Effect.fnUntraced(function* ({ query }) {
        const acting = yield* CurrentBusiness
        return yield* paged(query, (page) => tariffs.list(acting, page))
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        return yield* tariffs.create(yield* CurrentBusiness, payload)
      }),
      read: Effect.fnUntraced(function* ({ params }) {
        return withEtag(yield* tariffs.get(yield* CurrentBusiness, params.id))
      }),
      update: Effect.fnUntraced(function* ({ headers, params, payload }) {
        return withEtag(
          yield* tariffs.update(yield* CurrentBusiness, params.id, payload, preconditionOf(headers))
        )
      }),
      remove: Effect.fnUntraced(function* ({ headers, params }) {
        const last = yield* tariffs.remove(yield* CurrentBusiness, params.id, preconditionOf(headers))
        return withEtagOf(last, { deleted: true })
      }),
      estimate: Effect.fnUntraced(function* ({ payload }) {
        return yield* estimates.estimate(yield* CurrentBusiness, payload)
      }),
      ofTrip: Effect.fnUntraced(function* ({ params }) {
        return withEtag(yield* fares.get(yield* CurrentBusiness, params.id))
      }),
      priceTrip: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* fares.price(yield* CurrentBusiness, params.id, payload)
      })
    })
  })
)
