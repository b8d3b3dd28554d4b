import { Effect } from "effect"
import { Customers } from "@livery/domain"
import { Api, CurrentBusiness, isConfirmed } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"

export const CustomersHandlers = handlersOf(
  Api,
  "customers",
  Effect.fn(function* (handlers) {
    const customers = yield* Customers
    return handlers({
      list: Effect.fnUntraced(function* ({ query }) {
        const acting = yield* CurrentBusiness
        return yield* paged(query, (page) => customers.list(acting, query, page), { narrowBy: "search" })
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        return yield* customers.create(yield* CurrentBusiness, payload)
      }),
      read: Effect.fnUntraced(function* ({ params }) {
        return withEtag(yield* customers.get(yield* CurrentBusiness, params.id))
      }),
      update: Effect.fnUntraced(function* ({ headers, params, payload }) {
        return withEtag(
          yield* customers.update(yield* CurrentBusiness, params.id, payload, preconditionOf(headers))
        )
      }),
      remove: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const terms = { force: isConfirmed(payload), precondition: preconditionOf(headers) }
        return withEtagOf(yield* customers.remove(yield* CurrentBusiness, params.id, terms), {
          deleted: true
        })
      }),
      trips: Effect.fnUntraced(function* ({ params, query }) {
        const acting = yield* CurrentBusiness
        return yield* paged(query, (page) => customers.trips(acting, params.id, page))
      }),
      invoices: Effect.fnUntraced(function* ({ params, query }) {
        const acting = yield* CurrentBusiness
        return yield* paged(query, (page) => customers.invoices(acting, params.id, page))
      })
    })
  })
)
