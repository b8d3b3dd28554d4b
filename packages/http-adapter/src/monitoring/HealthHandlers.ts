import { Effect } from "effect"
import { PlatformSettings, RateCounters, Readiness } from "@livery/domain"
import { NotReady } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { Stopping } from "../http/server/Stopping.ts"

export const HealthHandlers = handlersOf("health", function* (handlers) {
  const readiness = yield* Readiness
  const counters = yield* RateCounters
  const settings = yield* PlatformSettings
  const stop = yield* Stopping
  const countersMissing = Effect.map(counters.probe, () =>
    counters.isUnavailable() ? ["the rate counters do not answer"] : []
  )
  return handlers({
    live: () => Effect.succeed({ status: "live" as const }),
    ready: Effect.fnUntraced(function* () {
      if (stop.isStopping) return yield* new NotReady({ missing: ["the process is about to stop"] })
      const checked = yield* Effect.all([readiness.check, countersMissing], { concurrency: "unbounded" })
      const missing = checked.flat()
      if (missing.length > 0) return yield* new NotReady({ missing })
      return {
        status: "ready" as const,
        ...(settings.current().outgoing_paused ? { outgoing_paused: true as const } : {})
      }
    })
  })
})
