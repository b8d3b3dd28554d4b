/** The exports of a server over OTLP: traces, metrics and log lines. */
import { RequestLog } from "@livery/http-adapter"
import { OtlpLogs, OtlpMetrics, OtlpTracing } from "@livery/integrations"
import { Effect, Layer } from "effect"
import { isLogged } from "./Logging.ts"
import { Settings } from "../settings/Settings.ts"
import { version } from "../usage/Version.ts"

/** Exports the line of each request too, which no logger writes. */
const RequestLines = Layer.effect(
  RequestLog,
  Effect.gen(function* () {
    const { logLevel } = yield* Settings
    const log = yield* RequestLog
    const write = yield* OtlpLogs.LineExport
    return (entry) => {
      log?.(entry)
      if (write === undefined || !isLogged(logLevel, entry.level)) return
      const { at, businessId, durationMillis, level, method, requestId, route, status, traceId } = entry
      write({
        at,
        level: level === "debug" ? "Debug" : "Info",
        message: "request",
        traceId,
        fields: {
          request_id: requestId,
          method,
          route,
          status,
          duration_ms: durationMillis,
          business_id: businessId
        }
      })
    }
  })
)

/** Sends each signal that has an address. */
export const Telemetry = Layer.unwrap(
  Effect.map(Settings, ({ telemetry: { logs, metrics, traces } }) =>
    Layer.mergeAll(
      traces === undefined ? Layer.empty : OtlpTracing.layer({ ...traces, serviceVersion: version }),
      metrics === undefined ? Layer.empty : OtlpMetrics.layer({ ...metrics, serviceVersion: version }),
      logs === undefined
        ? Layer.empty
        : RequestLines.pipe(Layer.provideMerge(OtlpLogs.layer({ ...logs, serviceVersion: version })))
    )
  )
)
