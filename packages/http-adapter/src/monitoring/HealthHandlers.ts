import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Readiness } from "@livery/domain"
import { Api } from "../Api.ts"
import { NotReady } from "../http/ErrorMap.ts"

export const HealthHandlers = HttpApiBuilder.group(
  Api,
  "health",
  Effect.fn(function* (handlers) {
    const readiness = yield* Readiness
    return handlers.handleAll({
      live: () => Effect.succeed({ status: "live" as const }),
      ready: Effect.fnUntraced(function* () {
        const missing = yield* readiness.check
        return missing.length === 0 ? { status: "ready" as const } : yield* new NotReady({ missing })
      })
    })
  })
)
