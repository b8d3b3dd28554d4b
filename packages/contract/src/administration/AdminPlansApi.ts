/** The plans of the platform, for super-admins (docs/api/administration.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { PlanId, PlanRecord } from "@livery/domain/records"
import { SuperAdminAccess } from "../http/Access.ts"
import { basePath, flag, paging, recordId, summary } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { tagged } from "../http/SafeEdits.ts"

/** The routes under `/admin/plans`: the plans of subscriptions, read only. For super-admins. */
export const AdminPlansApi = HttpApiGroup.make("adminPlans")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...paging, include_inactive: Schema.optionalKey(flag) },
      success: list(PlanRecord, "PlanListBody")
    }).annotateMerge(summary("The plans that are offered; `include_inactive=true` adds the others")),
    HttpApiEndpoint.get("read", "/:id", {
      params: { id: recordId(PlanId) },
      success: tagged(data(PlanRecord, "PlanBody")),
      error: wireErrors.notFound
    }).annotateMerge(summary("One plan"))
  )
  .middleware(SuperAdminAccess)
  .prefix(`${basePath}/admin/plans`)
  .annotateMerge(OpenApi.annotations({ title: "Administration: plans" }))
