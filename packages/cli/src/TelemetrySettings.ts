/** The settings of traces, metrics and logs over OTLP: the standard variables of OpenTelemetry. */
import { Duration, Effect, Redacted, Schema } from "effect"
import { type OtlpOptions, type OtlpTracing, samplerNames } from "@livery/integrations"
import { isWebAddress } from "./Addresses.ts"
import { address, flag, text, wholeNumber } from "./SettingSchemas.ts"

/** Pairs `name=value`, as the standard writes them: separated by commas, values escaped as in URLs. */
const pairs = /^\s*[^=,\s]+\s*=[^,]*(?:,\s*[^=,\s]+\s*=[^,]*)*$/u

const decoded = (list: string): Readonly<Record<string, string>> | undefined => {
  if (!pairs.test(list)) return undefined
  try {
    return Object.fromEntries(
      list.split(",").map((pair) => {
        const at = pair.indexOf("=")
        return [pair.slice(0, at).trim().toLowerCase(), decodeURIComponent(pair.slice(at + 1).trim())]
      })
    )
  } catch {
    return undefined
  }
}

const list = Schema.optionalKey(
  address((value) => decoded(value) !== undefined, "comma-separated pairs `name=value`")
)

const endpoint = Schema.optionalKey(address(isWebAddress, "an http or https address"))

const exporter = Schema.Literals(["otlp", "none"]).pipe(
  Schema.withDecodingDefaultKey(Effect.succeed("otlp" as const)),
  Schema.annotateKey({ description: "`otlp` or `none`" })
)

/** The variables that OpenTelemetry names. */
export const telemetryVariables = {
  OTEL_SDK_DISABLED: flag("false"),
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: endpoint,
  OTEL_TRACES_EXPORTER: exporter,
  OTEL_METRICS_EXPORTER: exporter,
  OTEL_LOGS_EXPORTER: exporter,
  OTEL_EXPORTER_OTLP_PROTOCOL: Schema.Literals(["http/json", "http/protobuf"]).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("http/json" as const)),
    Schema.annotateKey({ description: "`http/json` or `http/protobuf`" })
  ),
  OTEL_EXPORTER_OTLP_HEADERS: list,
  OTEL_EXPORTER_OTLP_TIMEOUT: wholeNumber(1, 60_000, 10_000),
  OTEL_SERVICE_NAME: text(/\S/u, "a name").pipe(Schema.withDecodingDefaultKey(Effect.succeed("livery"))),
  OTEL_RESOURCE_ATTRIBUTES: list,
  OTEL_TRACES_SAMPLER: Schema.Literals(samplerNames).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("parentbased_traceidratio" as const)),
    Schema.annotateKey({ description: samplerNames.map((name) => `\`${name}\``).join(", ") })
  ),
  OTEL_TRACES_SAMPLER_ARG: text(/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/u, "a number from 0 to 1").pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("0.01"))
  ),
  OTEL_BSP_SCHEDULE_DELAY: wholeNumber(50, 60_000, 5_000),
  OTEL_BLRP_SCHEDULE_DELAY: wholeNumber(50, 60_000, 1_000),
  OTEL_METRIC_EXPORT_INTERVAL: wholeNumber(50, 3_600_000, 60_000)
}

const variables = Schema.Struct(telemetryVariables)

type Options<O extends OtlpOptions> = Omit<O, "serviceVersion">

/** Where and how each signal is sent, except the version of the sender. A signal that is missing is not sent. */
export interface TelemetrySettings {
  readonly traces?: Options<OtlpTracing.OtlpTracingOptions>
  readonly metrics?: Options<OtlpOptions>
  readonly logs?: Options<OtlpOptions>
}

/** The settings of the signals. A signal is sent if it has an address, and is not turned off. */
export const readTelemetry = (read: typeof variables.Type): TelemetrySettings => {
  const base = read.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/u, "")
  const exportOf = (
    path: string,
    own: string | undefined,
    exporter: "otlp" | "none",
    interval: number
  ): Options<OtlpOptions> | undefined => {
    const url = own ?? (base === undefined ? undefined : `${base}/v1/${path}`)
    if (url === undefined || exporter === "none" || read.OTEL_SDK_DISABLED === "true") return undefined
    return {
      url,
      protocol: read.OTEL_EXPORTER_OTLP_PROTOCOL,
      headers: Redacted.make(decoded(read.OTEL_EXPORTER_OTLP_HEADERS ?? "") ?? {}),
      serviceName: read.OTEL_SERVICE_NAME,
      timeout: Duration.millis(read.OTEL_EXPORTER_OTLP_TIMEOUT),
      interval: Duration.millis(interval)
    }
  }
  const traces = exportOf(
    "traces",
    read.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
    read.OTEL_TRACES_EXPORTER,
    read.OTEL_BSP_SCHEDULE_DELAY
  )
  const metrics = exportOf(
    "metrics",
    read.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT,
    read.OTEL_METRICS_EXPORTER,
    read.OTEL_METRIC_EXPORT_INTERVAL
  )
  const logs = exportOf(
    "logs",
    read.OTEL_EXPORTER_OTLP_LOGS_ENDPOINT,
    read.OTEL_LOGS_EXPORTER,
    read.OTEL_BLRP_SCHEDULE_DELAY
  )
  return {
    ...(traces === undefined
      ? {}
      : {
          traces: {
            ...traces,
            sampler: read.OTEL_TRACES_SAMPLER,
            ratio: Number(read.OTEL_TRACES_SAMPLER_ARG)
          }
        }),
    ...(metrics === undefined ? {} : { metrics }),
    ...(logs === undefined ? {} : { logs })
  }
}
