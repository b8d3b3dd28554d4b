/** The settings of traces: the standard variables of OpenTelemetry. */
import { Duration, Effect, Redacted, Schema } from "effect"
import { type OtlpTracing, samplerNames } from "@livery/integrations"
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

/** The variables that OpenTelemetry names. */
export const tracingVariables = {
  OTEL_SDK_DISABLED: flag("false"),
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint,
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
  OTEL_BSP_SCHEDULE_DELAY: wholeNumber(50, 60_000, 5_000)
}

const variables = Schema.Struct(tracingVariables)

/** Where and how traces are sent, except the version of the sender. */
export type TracingSettings = Omit<OtlpTracing.OtlpTracingOptions, "serviceVersion">

/** The settings of traces; undefined if no address is set, or they are disabled. */
export const readTracing = (read: typeof variables.Type): TracingSettings | undefined => {
  const base = read.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/u, "")
  const url =
    read.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base === undefined ? undefined : `${base}/v1/traces`)
  if (url === undefined || read.OTEL_SDK_DISABLED === "true") return undefined
  return {
    url,
    protocol: read.OTEL_EXPORTER_OTLP_PROTOCOL,
    headers: Redacted.make(decoded(read.OTEL_EXPORTER_OTLP_HEADERS ?? "") ?? {}),
    serviceName: read.OTEL_SERVICE_NAME,
    sampler: read.OTEL_TRACES_SAMPLER,
    ratio: Number(read.OTEL_TRACES_SAMPLER_ARG),
    timeout: Duration.millis(read.OTEL_EXPORTER_OTLP_TIMEOUT),
    interval: Duration.millis(read.OTEL_BSP_SCHEDULE_DELAY)
  }
}
