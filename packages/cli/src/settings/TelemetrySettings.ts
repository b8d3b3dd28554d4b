/** The settings of traces, metrics and logs over OTLP: the standard variables of OpenTelemetry. */
import { Duration, Effect, Redacted, Schema } from "effect"
import { type OtlpOptions, type OtlpTracing, samplerNames } from "@livery/integrations"
import { isWebAddress } from "./Addresses.ts"
import { flag, text, textWhere, wholeNumber } from "./SettingSchemas.ts"

/** The standard's lists of pairs: `name=value`, separated by commas, with values escaped as in URLs. */
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
  textWhere((value) => decoded(value) !== undefined, "comma-separated pairs `name=value`")
)

const endpoint = Schema.optionalKey(textWhere(isWebAddress, "an http or https address"))

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

/** The options of each signal's export, without the version of the sender. An absent signal is not sent. */
export interface TelemetrySettings {
  readonly traces?: Options<OtlpTracing.OtlpTracingOptions>
  readonly metrics?: Options<OtlpOptions>
  readonly logs?: Options<OtlpOptions>
}

/** A signal: the part of its address, and the variables for it alone. */
interface Signal {
  readonly path: "traces" | "metrics" | "logs"
  readonly endpoint: string | undefined
  readonly exporter: "otlp" | "none"
  readonly interval: number
}

/** The options of a signal's export; undefined if the signal has no address or is turned off. */
const exportOf = (read: typeof variables.Type, signal: Signal): Options<OtlpOptions> | undefined => {
  const base = read.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/u, "")
  const url = signal.endpoint ?? (base === undefined ? undefined : `${base}/v1/${signal.path}`)
  if (url === undefined || signal.exporter === "none" || read.OTEL_SDK_DISABLED === "true") return undefined
  return {
    url,
    protocol: read.OTEL_EXPORTER_OTLP_PROTOCOL,
    headers: Redacted.make(decoded(read.OTEL_EXPORTER_OTLP_HEADERS ?? "") ?? {}),
    serviceName: read.OTEL_SERVICE_NAME,
    timeout: Duration.millis(read.OTEL_EXPORTER_OTLP_TIMEOUT),
    interval: Duration.millis(signal.interval)
  }
}

/** The options of each signal. */
export const readTelemetry = (read: typeof variables.Type): TelemetrySettings => {
  const traces = exportOf(read, {
    path: "traces",
    endpoint: read.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
    exporter: read.OTEL_TRACES_EXPORTER,
    interval: read.OTEL_BSP_SCHEDULE_DELAY
  })
  const metrics = exportOf(read, {
    path: "metrics",
    endpoint: read.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT,
    exporter: read.OTEL_METRICS_EXPORTER,
    interval: read.OTEL_METRIC_EXPORT_INTERVAL
  })
  const logs = exportOf(read, {
    path: "logs",
    endpoint: read.OTEL_EXPORTER_OTLP_LOGS_ENDPOINT,
    exporter: read.OTEL_LOGS_EXPORTER,
    interval: read.OTEL_BLRP_SCHEDULE_DELAY
  })
  const sampling = { sampler: read.OTEL_TRACES_SAMPLER, ratio: Number(read.OTEL_TRACES_SAMPLER_ARG) }
  return {
    ...(traces === undefined ? {} : { traces: { ...traces, ...sampling } }),
    ...(metrics === undefined ? {} : { metrics }),
    ...(logs === undefined ? {} : { logs })
  }
}
