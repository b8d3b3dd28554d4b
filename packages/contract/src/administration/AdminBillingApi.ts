/** The platform's coupons and its invoices to businesses, for super-admins (docs/api/administration.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  BusinessId,
  BilledStatus,
  SaasCouponRecord,
  SaasInvoiceRecord,
  SaasInvoiceSummary
} from "@livery/domain/records"
import { SuperAdminAccess } from "../http/Access.ts"
import { basePath, paging, recordId, summary, wholeNumber } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { tagged } from "../http/SafeEdits.ts"

const params = { id: recordId(Schema.Int.check(Schema.isGreaterThan(0))) }

/** The routes under `/admin/saas-coupons`: the coupons of subscriptions, read only. For super-admins. */
export const AdminCouponsApi = HttpApiGroup.make("adminCoupons")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: paging,
      success: list(SaasCouponRecord, "SaasCouponListBody")
    }).annotateMerge(summary("The coupons of the platform")),
    HttpApiEndpoint.get("read", "/:id", {
      params,
      success: tagged(data(SaasCouponRecord, "SaasCouponBody")),
      error: wireErrors.notFound
    }).annotateMerge(summary("One coupon"))
  )
  .middleware(SuperAdminAccess)
  .prefix(`${basePath}/admin/saas-coupons`)
  .annotateMerge(OpenApi.annotations({ title: "Administration: coupons" }))

/** The routes under `/admin/saas-invoices`: the invoices of subscriptions, read only. For super-admins. */
export const AdminSaasInvoicesApi = HttpApiGroup.make("adminSaasInvoices")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...paging,
        status: Schema.optionalKey(BilledStatus),
        business_id: Schema.optionalKey(wholeNumber(BusinessId))
      },
      success: list(SaasInvoiceSummary, "SaasInvoiceListBody")
    }).annotateMerge(summary("The platform's invoices to businesses, newest first")),
    HttpApiEndpoint.get("read", "/:id", {
      params,
      success: tagged(data(SaasInvoiceRecord, "SaasInvoiceBody")),
      error: wireErrors.notFound
    }).annotateMerge(summary("One invoice of the platform, with its lines and payments"))
  )
  .middleware(SuperAdminAccess)
  .prefix(`${basePath}/admin/saas-invoices`)
  .annotateMerge(OpenApi.annotations({ title: "Administration: invoices of the platform" }))
