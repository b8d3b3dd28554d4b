/** The users of the platform, for super-admins (docs/api/administration.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  AdminPasswordInput,
  AdminUserFilter,
  AdminUserRecord,
  BusinessAssignmentBody,
  BusinessAssignmentRecord,
  NewUserInput,
  UserId
} from "@livery/domain/records"
import { SuperAdminAccess } from "../http/Access.ts"
import { basePath, created, paging, recordId, summary } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { tagged } from "../http/SafeEdits.ts"

const params = { id: recordId(UserId) }

const AdminUserBody = data(AdminUserRecord, "AdminUserBody")

/** The routes under `/admin/users`: all accounts, their password resets and their businesses. For super-admins. */
export const AdminUsersApi = HttpApiGroup.make("adminUsers")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...paging, ...AdminUserFilter.fields },
      success: list(AdminUserRecord, "AdminUserListBody")
    }).annotateMerge(
      summary("The users of the platform; all, or those whose name or email contains `search`")
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: NewUserInput,
      success: AdminUserBody.pipe(created),
      error: wireErrors.emailExists
    }).annotateMerge(summary("Create an admin or a super-admin, with a verified email")),
    HttpApiEndpoint.get("read", "/:id", {
      params,
      success: tagged(AdminUserBody),
      error: wireErrors.notFound
    }).annotateMerge(summary("One user")),
    HttpApiEndpoint.post("resetPassword", "/:id/password-reset", {
      params,
      payload: AdminPasswordInput,
      success: data(Schema.Struct({ reset: Schema.Literal(true) }), "AdminPasswordResetBody"),
      error: wireErrors.notFound
    }).annotateMerge(summary("Set a new password, and end all of the user's sessions")),
    HttpApiEndpoint.post("assignBusiness", "/:id/business-assignment", {
      params,
      payload: BusinessAssignmentBody,
      success: data(BusinessAssignmentRecord, "BusinessAssignmentBody"),
      error: wireErrors.notFound
    }).annotateMerge(summary("Allow a user to act for a business, or no longer allow it"))
  )
  .middleware(SuperAdminAccess)
  .prefix(`${basePath}/admin/users`)
  .annotateMerge(OpenApi.annotations({ title: "Administration: users" }))
