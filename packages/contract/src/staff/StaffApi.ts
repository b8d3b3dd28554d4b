/** The members of the acting business (docs/api/staff.md). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  DeletionResult,
  InvitationRevocation,
  MemberChanges,
  MemberInvitationInput,
  MemberInvitationRecord,
  MemberRecord,
  OpenInvitationRecord,
  UserId
} from "@livery/domain/records"
import { inArea, UserForBusinessAccess } from "../http/Access.ts"
import { basePath, created, paging, recordId, summary } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { ifMatch, tagged } from "../http/SafeEdits.ts"

const params = { user_id: recordId(UserId) }

/**
 * The routes under `/business/members`: members, their roles, their invitations. For members with a right in the area
 * `members`; API keys are refused.
 */
export const StaffApi = HttpApiGroup.make("staff")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: paging,
      success: list(MemberRecord, "MemberListBody")
    }).annotateMerge(summary("The members of the business with their roles, the oldest account first")),
    HttpApiEndpoint.post("invite", "/", {
      payload: MemberInvitationInput,
      success: data(MemberInvitationRecord, "MemberInvitedBody").pipe(created),
      error: [wireErrors.conflict, wireErrors.tooManyRequests]
    }).annotateMerge(summary("Invite a member by email; the mailed code replaces an earlier one")),
    HttpApiEndpoint.get("invitations", "/invitations", {
      query: paging,
      success: list(OpenInvitationRecord, "MemberInvitationListBody")
    }).annotateMerge(summary("The invitations that can still be accepted, by address")),
    HttpApiEndpoint.delete("revoke", "/invitations", {
      payload: InvitationRevocation,
      success: data(DeletionResult, "MemberInvitationRevokedBody"),
      error: wireErrors.notFound
    }).annotateMerge(summary("Revoke the invitation to an address; its code becomes invalid")),
    HttpApiEndpoint.patch("update", "/:user_id", {
      params,
      headers: ifMatch,
      payload: MemberChanges,
      success: tagged(data(MemberRecord, "MemberBody")),
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(summary("Change a member's role; the only owner keeps the role")),
    HttpApiEndpoint.delete("remove", "/:user_id", {
      params,
      headers: ifMatch,
      success: tagged(data(DeletionResult, "MemberRemovedBody")),
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(summary("Remove a member; the only owner cannot be removed"))
  )
  .middleware(UserForBusinessAccess)
  .annotateMerge(inArea("members"))
  .prefix(`${basePath}/business/members`)
  .annotateMerge(OpenApi.annotations({ title: "Staff" }))
