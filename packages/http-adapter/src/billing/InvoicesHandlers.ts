import { Effect } from "effect"
import {
  CustomerCredits,
  InvoiceCorrections,
  Invoices,
  InvoiceTrips,
  PaymentReversals,
  Payments
} from "@livery/domain"
import { CurrentBusiness, isConfirmed } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

export const InvoicesHandlers = handlersOf("invoices", function* (handlers) {
  const invoices = yield* Invoices
  const corrections = yield* InvoiceCorrections
  const trips = yield* InvoiceTrips
  const payments = yield* Payments
  const credits = yield* CustomerCredits
  const reversals = yield* PaymentReversals
  return handlers({
    list: forBusiness((acting, { query }) =>
      paged(query, (page) => invoices.list(acting, query, page), { narrowBy: "date_from" })
    ),
    create: forBusiness((acting, { payload }) => invoices.create(acting, payload)),
    read: forBusiness((acting, { params }) => Effect.map(invoices.get(acting, params.id), withEtag)),
    update: forBusiness((acting, { headers, params, payload }) =>
      Effect.map(invoices.update(acting, params.id, payload, preconditionOf(headers)), withEtag)
    ),
    remove: Effect.fnUntraced(function* ({ headers, params, payload }) {
      const terms = { force: isConfirmed(payload), precondition: preconditionOf(headers) }
      return withEtagOf(yield* invoices.remove(yield* CurrentBusiness, params.id, terms), { deleted: true })
    }),
    issue: forBusiness((acting, { params }) => invoices.issue(acting, params.id)),
    correct: forBusiness((acting, { params, payload }) => corrections.correct(acting, params.id, payload)),
    timeline: forBusiness((acting, { params, query }) =>
      paged(query, (page) => invoices.timeline(acting, params.id, page))
    ),
    void: forBusiness((acting, { params }) => invoices.void(acting, params.id)),
    attachTrips: forBusiness((acting, { params, payload }) => trips.attach(acting, params.id, payload)),
    detachTrips: forBusiness((acting, { headers, params, payload }) =>
      Effect.map(trips.detach(acting, params.id, payload, preconditionOf(headers)), withEtag)
    ),
    payments: forBusiness((acting, { params, query }) =>
      paged(query, (page) => payments.list(acting, params.id, page))
    ),
    pay: forBusiness((acting, { params, payload }) => payments.record(acting, params.id, payload)),
    applyCredit: forBusiness((acting, { params, payload }) =>
      credits.apply(acting, params.id, payload ?? {})
    ),
    reverse: forBusiness((acting, { params, payload }) =>
      reversals.reverse(acting, params.id, params.payment_id, payload)
    ),
    refund: forBusiness((acting, { params, payload }) =>
      payments.refund(acting, params.id, params.payment_id, payload)
    )
  })
})
