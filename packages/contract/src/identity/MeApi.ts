/** The routes of the signed-in user (docs/api/accounts.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  ApiKeyDeletion,
  ApiKeyRecord,
  BusinessSummary,
  CreatedApiKey,
  DeletionResult,
  DeviceInput,
  DeviceRecord,
  DeviceRemoval,
  BusinessCreationInput,
  PasswordChange,
  PasswordChangeResult,
  PreferenceChanges,
  Preferences,
  SavedViewChanges,
  SavedViewId,
  SavedViewInput,
  SavedViewRecord,
  UserChanges,
  UserRecord
} from "@livery/domain/records"
import { BusinessBody } from "../business/BusinessApi.ts"
import { inArea, PersonAccess, UserAccess, UserForBusinessAccess } from "../http/Access.ts"
import { basePath, created, noQuery, recordId, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { ifMatch, tagged } from "../http/SafeEdits.ts"

const UserBody = tagged(data(UserRecord, "UserBody"))
const SavedViewBody = data(SavedViewRecord, "SavedViewBody")
const PreferencesBody = tagged(data(Preferences, "PreferencesBody"))
const DeletionBody = data(DeletionResult, "DeletionBody")

/**
 * The routes under `/me`: the signed-in user's account, businesses and devices, for user access tokens; the API keys of
 * the acting business, for its members with a right in the area `api_keys`.
 */
export const MeApi = HttpApiGroup.make("me")
  .add(
    HttpApiEndpoint.get("read", "/", { success: UserBody })
      .middleware(UserAccess)
      .annotateMerge(summary("The signed-in user")),
    HttpApiEndpoint.patch("change", "/", {
      headers: ifMatch,
      payload: UserChanges,
      success: UserBody,
      error: wireErrors.conflict
    })
      .middleware(UserAccess)
      .annotateMerge(summary("Change the signed-in user's name or phone number")),
    HttpApiEndpoint.post("changePassword", "/password", {
      payload: PasswordChange,
      success: data(PasswordChangeResult, "PasswordChangeBody")
    })
      .middleware(UserAccess)
      .annotateMerge(summary("Set a new password, and end every other session")),
    HttpApiEndpoint.get("listBusinesses", "/businesses", {
      query: noQuery,
      success: data(Schema.Array(BusinessSummary), "BusinessSummariesBody")
    })
      .middleware(UserAccess)
      .annotateMerge(summary("The businesses that the signed-in user may act for")),
    HttpApiEndpoint.post("createBusiness", "/businesses", {
      payload: BusinessCreationInput,
      success: BusinessBody.pipe(created)
    })
      .middleware(UserAccess)
      .annotateMerge(summary("Create a business, whose first member is the signed-in user")),
    HttpApiEndpoint.post("createApiKey", "/api-keys", {
      success: data(CreatedApiKey, "CreatedApiKeyBody").pipe(created)
    })
      .middleware(UserForBusinessAccess)
      .annotateMerge(inArea("api_keys"))
      .annotateMerge(summary("Create an API key of the acting business; only this response has it in full")),
    HttpApiEndpoint.get("listApiKeys", "/api-keys", {
      query: noQuery,
      success: data(Schema.Array(ApiKeyRecord), "ApiKeysBody")
    })
      .middleware(UserForBusinessAccess)
      .annotateMerge(inArea("api_keys"))
      .annotateMerge(summary("The acting business's API keys, masked")),
    HttpApiEndpoint.delete("deleteApiKey", "/api-keys", { payload: ApiKeyDeletion, success: DeletionBody })
      .middleware(UserForBusinessAccess)
      .annotateMerge(inArea("api_keys"))
      .annotateMerge(summary("Delete an API key of the acting business, given in full")),
    HttpApiEndpoint.get("listViews", "/views", {
      query: noQuery,
      success: data(Schema.Array(SavedViewRecord), "SavedViewsBody")
    })
      .middleware(UserAccess)
      .annotateMerge(summary("The views of screens that the signed-in user saved, by screen and name")),
    HttpApiEndpoint.post("saveView", "/views", {
      payload: SavedViewInput,
      success: SavedViewBody.pipe(created),
      error: wireErrors.conflict
    })
      .middleware(UserAccess)
      .annotateMerge(summary("Save a view of a screen: its name and its filters")),
    HttpApiEndpoint.patch("changeView", "/views/:id", {
      params: { id: recordId(SavedViewId) },
      payload: SavedViewChanges,
      success: SavedViewBody,
      error: wireErrors.notFound
    })
      .middleware(UserAccess)
      .annotateMerge(summary("Change a view of the signed-in user")),
    HttpApiEndpoint.delete("deleteView", "/views/:id", {
      params: { id: recordId(SavedViewId) },
      success: DeletionBody,
      error: wireErrors.notFound
    })
      .middleware(UserAccess)
      .annotateMerge(summary("Delete a view of the signed-in user")),
    HttpApiEndpoint.get("readPreferences", "/preferences", { success: PreferencesBody })
      .middleware(UserAccess)
      .annotateMerge(
        summary("How the signed-in user wants the screens: language, theme, layout of the board")
      ),
    HttpApiEndpoint.patch("changePreferences", "/preferences", {
      headers: ifMatch,
      payload: PreferenceChanges,
      success: PreferencesBody,
      error: wireErrors.conflict
    })
      .middleware(UserAccess)
      .annotateMerge(summary("Change preferences of the signed-in user")),
    HttpApiEndpoint.post("registerDevice", "/devices", {
      payload: DeviceInput,
      success: data(DeviceRecord, "DeviceBody")
    })
      .middleware(PersonAccess)
      .annotateMerge(summary("Register or update a device for push messages")),
    HttpApiEndpoint.get("listDevices", "/devices", {
      query: noQuery,
      success: data(Schema.Array(DeviceRecord), "DevicesBody")
    })
      .middleware(PersonAccess)
      .annotateMerge(summary("The signed-in user's devices")),
    HttpApiEndpoint.delete("unregisterDevice", "/devices", { payload: DeviceRemoval, success: DeletionBody })
      .middleware(PersonAccess)
      .annotateMerge(summary("Unregister one of the signed-in user's devices"))
  )
  .prefix(`${basePath}/me`)
  .annotateMerge(OpenApi.annotations({ title: "Current user" }))
