/** What the API says of itself. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { StateMachineRecord } from "@livery/domain"
import { PublicAccess } from "../http/Access.ts"
import { basePath, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"

export const MetaApi = HttpApiGroup.make("meta")
  .add(
    HttpApiEndpoint.get("stateMachines", "/state-machines", {
      success: data(Schema.Array(StateMachineRecord), "StateMachineListBody")
    }).annotateMerge(summary("Every state there is, which ones may follow, and who may bring that about"))
  )
  .middleware(PublicAccess)
  .prefix(`${basePath}/meta`)
  .annotateMerge(OpenApi.annotations({ title: "Meta" }))
