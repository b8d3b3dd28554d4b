/** The settings of the platform, for super-admins (docs/api/administration.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { SettingInput, SettingRecord, SettingsRecord } from "@livery/domain/records"
import { SuperAdminAccess } from "../http/Access.ts"
import { basePath, noQuery, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"

/** The routes under `/admin/settings`: the settings of the installation. For super-admins. */
export const AdminSettingsApi = HttpApiGroup.make("adminSettings")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: noQuery,
      success: data(SettingsRecord, "SettingsBody")
    }).annotateMerge(summary("All settings of the platform, grouped by category")),
    HttpApiEndpoint.patch("set", "/:key", {
      params: { key: Schema.String },
      payload: SettingInput,
      success: data(SettingRecord, "SettingBody"),
      error: wireErrors.notFound
    }).annotateMerge(summary("Replace the value of a setting; its type and category stay"))
  )
  .middleware(SuperAdminAccess)
  .prefix(`${basePath}/admin/settings`)
  .annotateMerge(OpenApi.annotations({ title: "Administration: settings" }))
