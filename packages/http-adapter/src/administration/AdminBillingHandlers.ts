import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AdminCoupons, AdminSaasInvoices } from "@livery/domain"
import { Api } from "../Api.ts"
import { adminPerPage, paged } from "../http/contract/Pages.ts"

export const AdminCouponsHandlers = HttpApiBuilder.group(
  Api,
  "adminCoupons",
  Effect.fn(function* (handlers) {
    const coupons = yield* AdminCoupons
    return handlers.handleAll({
      list: ({ query }) => paged(query, coupons.list, { defaultSize: adminPerPage }),
      read: ({ params }) => coupons.get(params.id)
    })
  })
)

export const AdminSaasInvoicesHandlers = HttpApiBuilder.group(
  Api,
  "adminSaasInvoices",
  Effect.fn(function* (handlers) {
    const invoices = yield* AdminSaasInvoices
    return handlers.handleAll({
      list: ({ query: { business_id, status, ...query } }) =>
        paged(query, (page) => invoices.list({ business_id, status }, page), { defaultSize: adminPerPage }),
      read: ({ params }) => invoices.get(params.id)
    })
  })
)
