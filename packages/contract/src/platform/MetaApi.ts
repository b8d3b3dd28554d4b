/** The API's description of itself. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { StateMachineRecord } from "@livery/domain/records"
import { PublicAccess } from "../http/Access.ts"
import { basePath, noQuery, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"

/** The route `/meta/state-machines`: the transitions of all records with a status. For anyone, limited by address. */
export const MetaApi = HttpApiGroup.make("meta")
  .add(
    HttpApiEndpoint.get("stateMachines", "/state-machines", {
      query: noQuery,
      success: data(Schema.Array(StateMachineRecord), "StateMachineListBody")
    }).annotateMerge(
      summary("All state machines: their states, their transitions, and who may cause each one")
    )
  )
  .middleware(PublicAccess)
  .prefix(`${basePath}/meta`)
  .annotateMerge(OpenApi.annotations({ title: "Meta" }))
