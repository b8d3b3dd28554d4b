import { Effect } from "effect"
import { AdminCoupons, AdminSaasInvoices } from "@livery/domain"
import { adminPerPage } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { withEtag } from "../http/responses/Etag.ts"

export const AdminCouponsHandlers = handlersOf("adminCoupons", function* (handlers) {
  const coupons = yield* AdminCoupons
  return handlers({
    list: ({ query }) => paged(query, coupons.list, { defaultSize: adminPerPage }),
    read: ({ params }) => Effect.map(coupons.get(params.id), withEtag)
  })
})

export const AdminSaasInvoicesHandlers = handlersOf("adminSaasInvoices", function* (handlers) {
  const invoices = yield* AdminSaasInvoices
  return handlers({
    list: ({ query: { business_id, status, ...query } }) =>
      paged(query, (page) => invoices.list({ business_id, status }, page), { defaultSize: adminPerPage }),
    read: ({ params }) => Effect.map(invoices.get(params.id), withEtag)
  })
})
