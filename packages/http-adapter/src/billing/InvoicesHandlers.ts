import { Effect } from "effect"
import { Invoices, InvoiceTrips, Payments } from "@livery/domain"
import { Api, CurrentBusiness, isConfirmed } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"

export const InvoicesHandlers = handlersOf(
  Api,
  "invoices",
  Effect.fn(function* (handlers) {
    const invoices = yield* Invoices
    const trips = yield* InvoiceTrips
    const payments = yield* Payments
    return handlers({
      list: Effect.fnUntraced(function* ({ query }) {
        const acting = yield* CurrentBusiness
        return yield* paged(query, (page) => invoices.list(acting, query, page), { narrowBy: "date_from" })
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        return yield* invoices.create(yield* CurrentBusiness, payload)
      }),
      read: Effect.fnUntraced(function* ({ params }) {
        return withEtag(yield* invoices.get(yield* CurrentBusiness, params.id))
      }),
      update: Effect.fnUntraced(function* ({ headers, params, payload }) {
        return withEtag(
          yield* invoices.update(yield* CurrentBusiness, params.id, payload, preconditionOf(headers))
        )
      }),
      remove: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const terms = { force: isConfirmed(payload), precondition: preconditionOf(headers) }
        return withEtagOf(yield* invoices.remove(yield* CurrentBusiness, params.id, terms), { deleted: true })
      }),
      void: Effect.fnUntraced(function* ({ params }) {
        return yield* invoices.void(yield* CurrentBusiness, params.id)
      }),
      attachTrips: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* trips.attach(yield* CurrentBusiness, params.id, payload)
      }),
      detachTrips: Effect.fnUntraced(function* ({ headers, params, payload }) {
        return withEtag(
          yield* trips.detach(yield* CurrentBusiness, params.id, payload, preconditionOf(headers))
        )
      }),
      payments: Effect.fnUntraced(function* ({ params, query }) {
        const acting = yield* CurrentBusiness
        return yield* paged(query, (page) => payments.list(acting, params.id, page))
      }),
      pay: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* payments.record(yield* CurrentBusiness, params.id, payload)
      }),
      refund: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* payments.refund(yield* CurrentBusiness, params.id, params.payment_id, payload)
      })
    })
  })
)
