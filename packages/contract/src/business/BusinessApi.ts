/** The acting business, and a check of the credential. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { BusinessRecord, CallerRole, Rights } from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { tagged } from "../http/SafeEdits.ts"

/** The version of the API, in `GET /ping` and in the OpenAPI document. */
export const apiVersion = "1.0.0"

const Ping = Schema.Struct({
  ok: Schema.Boolean,
  business_id: Schema.Int,
  api_version: Schema.String,
  time: Schema.String,
  /** The role of the caller in the business; `api_key` for an API key. */
  role: CallerRole,
  /** What this role may do in each area of the API: read, write (which includes reading), or nothing. */
  rights: Rights
})

/** A business in the envelope. */
export const BusinessBody = data(BusinessRecord, "BusinessBody")

/**
 * The routes `/ping` and `/business`: the acting business, and the check of a credential. For API keys and members with
 * a right in the area `business`.
 */
export const BusinessApi = HttpApiGroup.make("business")
  .add(
    HttpApiEndpoint.get("ping", "/ping", { success: data(Ping, "PingBody") }).annotateMerge(
      summary("Whether the credential works, for which business, and what it may do there")
    ),
    HttpApiEndpoint.get("read", "/business", {
      success: tagged(BusinessBody),
      error: wireErrors.notFound
    }).annotateMerge(summary("The acting business"))
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("business"))
  .prefix(basePath)
  .annotateMerge(OpenApi.annotations({ title: "Business" }))
