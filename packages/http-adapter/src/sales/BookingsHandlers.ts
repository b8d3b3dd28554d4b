import { Effect } from "effect"
import { Bookings, Products, SalesEmails } from "@livery/domain"
import { Api, CurrentBusiness, isConfirmed } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"

export const ProductsHandlers = handlersOf(
  Api,
  "products",
  Effect.fn(function* (handlers) {
    const products = yield* Products
    return handlers({
      list: Effect.fnUntraced(function* ({ query }) {
        const acting = yield* CurrentBusiness
        return yield* paged(query, (page) => products.list(acting, query, page))
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        return yield* products.create(yield* CurrentBusiness, payload)
      }),
      read: Effect.fnUntraced(function* ({ params }) {
        return withEtag(yield* products.get(yield* CurrentBusiness, params.id))
      }),
      update: Effect.fnUntraced(function* ({ headers, params, payload }) {
        return withEtag(
          yield* products.update(yield* CurrentBusiness, params.id, payload, preconditionOf(headers))
        )
      }),
      remove: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const terms = { force: isConfirmed(payload), precondition: preconditionOf(headers) }
        return withEtagOf(yield* products.remove(yield* CurrentBusiness, params.id, terms), { deleted: true })
      })
    })
  })
)

const noBody = { email: true, force: false } as const

export const BookingsHandlers = handlersOf(
  Api,
  "bookings",
  Effect.fn(function* (handlers) {
    const bookings = yield* Bookings
    const emails = yield* SalesEmails
    return handlers({
      list: Effect.fnUntraced(function* ({ query }) {
        const acting = yield* CurrentBusiness
        return yield* paged(query, (page) => bookings.list(acting, query, page), { narrowBy: "date_from" })
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        return yield* bookings.create(yield* CurrentBusiness, payload)
      }),
      read: Effect.fnUntraced(function* ({ params }) {
        return withEtag(yield* bookings.get(yield* CurrentBusiness, params.id))
      }),
      update: Effect.fnUntraced(function* ({ headers, params, payload }) {
        return withEtag(
          yield* bookings.update(yield* CurrentBusiness, params.id, payload, preconditionOf(headers))
        )
      }),
      remove: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const terms = { force: isConfirmed(payload), precondition: preconditionOf(headers) }
        return withEtagOf(yield* bookings.remove(yield* CurrentBusiness, params.id, terms), { deleted: true })
      }),
      confirm: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* emails.confirmBooking(yield* CurrentBusiness, params.id, payload ?? noBody)
      }),
      cancel: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* emails.cancelBooking(yield* CurrentBusiness, params.id, payload ?? noBody)
      })
    })
  })
)
