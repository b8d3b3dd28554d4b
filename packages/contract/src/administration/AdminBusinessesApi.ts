/** The businesses of the platform, for super-admins (docs/api/administration.md). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  AdminBusinessFilter,
  AdminBusinessPatch,
  AdminBusinessRecord,
  BusinessId,
  BusinessUsageRecord,
  CreditsInput,
  SuspensionInput
} from "@livery/domain/records"
import { SuperAdminAccess } from "../http/Access.ts"
import { basePath, paging, recordId, summary } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { ifMatch, tagged } from "../http/SafeEdits.ts"

const params = { id: recordId(BusinessId) }

const AdminBusinessBody = data(AdminBusinessRecord, "AdminBusinessBody")

/**
 * The routes under `/admin/businesses`: all businesses, their usage, their email credits, suspension. For super-admins.
 */
export const AdminBusinessesApi = HttpApiGroup.make("adminBusinesses")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...paging, ...AdminBusinessFilter.fields },
      success: list(AdminBusinessRecord, "AdminBusinessListBody")
    }).annotateMerge(
      summary("The businesses of the platform; all, or those whose name, email or slug contains `search`")
    ),
    HttpApiEndpoint.get("read", "/:id", {
      params,
      success: tagged(AdminBusinessBody),
      error: wireErrors.notFound
    }).annotateMerge(summary("One business")),
    HttpApiEndpoint.get("usage", "/:id/usage", {
      params,
      success: data(BusinessUsageRecord, "BusinessUsageBody"),
      error: wireErrors.notFound
    }).annotateMerge(summary("How much of its plan a business uses, and when it was last active")),
    HttpApiEndpoint.post("credits", "/:id/credits", {
      params,
      payload: CreditsInput,
      success: AdminBusinessBody,
      error: wireErrors.notFound
    }).annotateMerge(
      summary("Add email credits; a negative number deducts, and the balance never becomes negative")
    ),
    HttpApiEndpoint.post("suspend", "/:id/suspend", {
      params,
      payload: SuspensionInput,
      success: AdminBusinessBody,
      error: wireErrors.notFound
    }).annotateMerge(summary("Suspend or reactivate a business")),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      headers: ifMatch,
      payload: AdminBusinessPatch,
      success: tagged(AdminBusinessBody),
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(summary("Change a business's name, address, plan, currency or time zone"))
  )
  .middleware(SuperAdminAccess)
  .prefix(`${basePath}/admin/businesses`)
  .annotateMerge(OpenApi.annotations({ title: "Administration: businesses" }))
