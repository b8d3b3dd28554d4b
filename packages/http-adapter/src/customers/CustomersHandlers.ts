import { Effect } from "effect"
import { Customers } from "@livery/domain"
import { CurrentBusiness, isConfirmed } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { bulkResultsOf } from "../http/responses/BulkResults.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

export const CustomersHandlers = handlersOf("customers", function* (handlers) {
  const customers = yield* Customers
  return handlers({
    list: forBusiness((acting, { query }) =>
      paged(query, (page) => customers.list(acting, query, page), { narrowBy: "search" })
    ),
    create: forBusiness((acting, { payload }) => customers.create(acting, payload)),
    createMany: forBusiness((acting, { payload }) => bulkResultsOf(customers.createMany(acting, payload))),
    read: forBusiness((acting, { params }) => Effect.map(customers.get(acting, params.id), withEtag)),
    update: forBusiness((acting, { headers, params, payload }) =>
      Effect.map(customers.update(acting, params.id, payload, preconditionOf(headers)), withEtag)
    ),
    remove: Effect.fnUntraced(function* ({ headers, params, payload }) {
      const terms = { force: isConfirmed(payload), precondition: preconditionOf(headers) }
      return withEtagOf(yield* customers.remove(yield* CurrentBusiness, params.id, terms), {
        deleted: true
      })
    }),
    trips: forBusiness((acting, { params, query }) =>
      paged(query, (page) => customers.trips(acting, params.id, page))
    ),
    invoices: forBusiness((acting, { params, query }) =>
      paged(query, (page) => customers.invoices(acting, params.id, page))
    )
  })
})
