/** The health checks of orchestrators and load balancers, outside of the API's base path. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { probe } from "../http/Traits.ts"

const Live = Schema.Struct({ status: Schema.Literal("live") })

const Ready = Schema.Struct({
  status: Schema.Literal("ready"),
  /** Only while webhooks, mail and reminders are held. */
  outgoing_paused: Schema.optionalKey(Schema.Literal(true))
})

/** The routes under `/health`. For anyone, without a rate limit. */
export const HealthApi = HttpApiGroup.make("health")
  .add(
    HttpApiEndpoint.get("live", "/live", { success: data(Live, "LiveBody") }).annotateMerge(
      summary("Whether the process runs")
    ),
    HttpApiEndpoint.get("ready", "/ready", {
      success: data(Ready, "ReadyBody"),
      error: wireErrors.notReady
    }).annotateMerge(summary("Whether the process can serve: 200, or 503 with the missing parts"))
  )
  .prefix("/health")
  .annotateMerge(OpenApi.annotations({ title: "Operations" }))
  .annotateMerge(probe)
