import { Effect } from "effect"
import { Bookings, Products, SalesEmails } from "@livery/domain"
import { CurrentBusiness, isConfirmed } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

export const ProductsHandlers = handlersOf("products", function* (handlers) {
  const products = yield* Products
  return handlers({
    list: forBusiness((acting, { query }) => paged(query, (page) => products.list(acting, query, page))),
    create: forBusiness((acting, { payload }) => products.create(acting, payload)),
    read: forBusiness((acting, { params }) => Effect.map(products.get(acting, params.id), withEtag)),
    update: forBusiness((acting, { headers, params, payload }) =>
      Effect.map(products.update(acting, params.id, payload, preconditionOf(headers)), withEtag)
    ),
    departures: forBusiness((acting, { params, query }) => products.departures(acting, params.id, query)),
    remove: Effect.fnUntraced(function* ({ headers, params, payload }) {
      const terms = { force: isConfirmed(payload), precondition: preconditionOf(headers) }
      return withEtagOf(yield* products.remove(yield* CurrentBusiness, params.id, terms), { deleted: true })
    })
  })
})

const bodyDefaults = { email: true, force: false } as const

export const BookingsHandlers = handlersOf("bookings", function* (handlers) {
  const bookings = yield* Bookings
  const emails = yield* SalesEmails
  return handlers({
    list: forBusiness((acting, { query }) =>
      paged(query, (page) => bookings.list(acting, query, page), { narrowBy: "date_from" })
    ),
    create: forBusiness((acting, { payload }) => bookings.create(acting, payload)),
    read: forBusiness((acting, { params }) => Effect.map(bookings.get(acting, params.id), withEtag)),
    update: forBusiness((acting, { headers, params, payload }) =>
      Effect.map(bookings.update(acting, params.id, payload, preconditionOf(headers)), withEtag)
    ),
    remove: Effect.fnUntraced(function* ({ headers, params, payload }) {
      const terms = { force: isConfirmed(payload), precondition: preconditionOf(headers) }
      return withEtagOf(yield* bookings.remove(yield* CurrentBusiness, params.id, terms), { deleted: true })
    }),
    confirm: forBusiness((acting, { params, payload }) =>
      emails.confirmBooking(acting, params.id, payload ?? bodyDefaults)
    ),
    cancel: forBusiness((acting, { params, payload }) =>
      emails.cancelBooking(acting, params.id, payload ?? bodyDefaults)
    )
  })
})
