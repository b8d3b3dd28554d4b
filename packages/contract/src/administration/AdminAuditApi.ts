/** The audit log, for super-admins (docs/api/administration.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AuditFilter, AuditRecord, BusinessId } from "@livery/domain/records"
import { SuperAdminAccess } from "../http/Access.ts"
import { basePath, paging, summary, wholeNumber } from "../http/Contract.ts"
import { list } from "../http/Envelope.ts"

/** The route `/admin/audit`: the audit log of the installation. For super-admins. */
export const AdminAuditApi = HttpApiGroup.make("adminAudit")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...paging,
        ...AuditFilter.fields,
        business_id: Schema.optionalKey(wholeNumber(BusinessId))
      },
      success: list(AuditRecord, "AuditListBody")
    }).annotateMerge(
      summary("The administrative changes, newest first: the author, what changed, and the reason")
    )
  )
  .middleware(SuperAdminAccess)
  .prefix(`${basePath}/admin/audit`)
  .annotateMerge(OpenApi.annotations({ title: "Administration: audit log" }))
