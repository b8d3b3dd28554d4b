import { Effect } from "effect"
import { Cars } from "@livery/domain"
import { Api, CurrentBusiness, isConfirmed } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"

export const CarsHandlers = handlersOf(
  Api,
  "cars",
  Effect.fn(function* (handlers) {
    const cars = yield* Cars
    return handlers({
      list: Effect.fnUntraced(function* ({ query }) {
        const acting = yield* CurrentBusiness
        return yield* paged(query, (page) => cars.list(acting, query, page))
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        return yield* cars.create(yield* CurrentBusiness, payload)
      }),
      read: Effect.fnUntraced(function* ({ params }) {
        return withEtag(yield* cars.get(yield* CurrentBusiness, params.id))
      }),
      update: Effect.fnUntraced(function* ({ headers, params, payload }) {
        return withEtag(
          yield* cars.update(yield* CurrentBusiness, params.id, payload, preconditionOf(headers))
        )
      }),
      remove: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const terms = { force: isConfirmed(payload), precondition: preconditionOf(headers) }
        return withEtagOf(yield* cars.remove(yield* CurrentBusiness, params.id, terms), { deleted: true })
      })
    })
  })
)
