/**
 * Log lines over OTLP/HTTP, by Effect's exporter. Only fields of a list are exported: the log on standard error can have
 * texts of other servers, which may contain an address.
 */
import { Cause, Context, Effect, Layer, Logger, type LogLevel, Predicate, References } from "effect"
import { OtlpExporter, OtlpResource, OtlpSerialization } from "effect/observability"
import { makeExport, type OtlpOptions } from "./OtlpExport.ts"
import { failureName } from "./SafeSpans.ts"

/** The texts that are exported, by the names that they have in the log, and by those of OpenTelemetry. */
const texts = new Map([
  ["action", "livery.audit.action"],
  ["event_id", "livery.event.id"],
  ["event_type", "livery.event.type"],
  ["method", "http.request.method"],
  ["request_id", "livery.request.id"],
  ["route", "http.route"],
  ["status", "livery.delivery.status"],
  ["table", "livery.table"]
])

/** The numbers that are exported. */
const numbers = new Map([
  ["after_s", "livery.after_s"],
  ["attempt", "livery.delivery.attempt"],
  ["business_id", "livery.business.id"],
  ["delivery_id", "livery.delivery.id"],
  ["dropped", "livery.dropped"],
  ["duration_ms", "livery.duration_ms"],
  ["endpoint_id", "livery.endpoint.id"],
  ["for_s", "livery.for_s"],
  ["mail_id", "livery.mail.id"],
  ["retry_in_s", "livery.retry_in_s"],
  ["status", "http.response.status_code"]
])

const attributeOf = (name: string, value: unknown): string | undefined => {
  if (typeof value === "string") return texts.get(name)
  return typeof value === "number" ? numbers.get(name) : undefined
}

const attributesOf = (fields: Readonly<Record<string, unknown>>) =>
  OtlpResource.entriesToAttributes(
    Object.entries(fields).flatMap(([name, value]): Array<[string, unknown]> => {
      const attribute = attributeOf(name, value)
      return attribute === undefined ? [] : [[attribute, value]]
    })
  )

/** A text without mail addresses, URLs and paths, because they may name a person. */
const withoutAddresses = (text: string) =>
  text.replaceAll(/\S+/gu, (word) => (word.includes("@") || word.includes("/") ? "…" : word))

/** The numbers of OpenTelemetry for levels. */
const severities: Readonly<Record<LogLevel.LogLevel, 1 | 5 | 9 | 13 | 17 | 21>> = {
  All: 1,
  Trace: 1,
  Debug: 5,
  Info: 9,
  Warn: 13,
  Error: 17,
  Fatal: 21,
  None: 21
}

/** A line that is exported. `at` is in Unix milliseconds. */
export interface ExportedLine {
  readonly at: number
  readonly level: LogLevel.LogLevel
  readonly message: string
  readonly traceId?: string | undefined
  readonly fields: Readonly<Record<string, unknown>>
  readonly failure?: string
}

/** The function that exports a line; `undefined` if lines are not exported. */
export const LineExport = Context.Reference<((line: ExportedLine) => void) | undefined>(
  "@livery/integrations/LineExport",
  { defaultValue: () => undefined }
)

const recordOf = ({ at, failure, fields, level, message, traceId }: ExportedLine) => {
  const time = `${Math.round(at)}000000`
  return {
    timeUnixNano: time,
    observedTimeUnixNano: time,
    severityNumber: severities[level],
    severityText: level,
    body: { stringValue: withoutAddresses(message) },
    attributes: [
      ...attributesOf(fields),
      ...(failure === undefined ? [] : OtlpResource.entriesToAttributes([["exception.type", failure]]))
    ],
    droppedAttributesCount: 0,
    ...(traceId === undefined ? {} : { traceId })
  }
}

type LogRecord = ReturnType<typeof recordOf>

const lineOf = ({ cause, date, fiber, logLevel, message }: Logger.Options<unknown>): ExportedLine => {
  const parts = Array.isArray(message) ? message : [message]
  const objects = parts.filter((part) => Predicate.isObject(part))
  const failure =
    cause.reasons.length > 0 ? cause : objects.find((part) => Cause.isCause(part) || part instanceof Error)
  return {
    at: date.getTime(),
    level: logLevel,
    message: parts.filter((part) => !Predicate.isObject(part)).join(" "),
    fields: Object.assign({}, fiber.getRef(References.CurrentLogAnnotations), ...objects),
    ...(failure === undefined
      ? {}
      : { failure: failureName(Cause.isCause(failure) ? failure : Cause.fail(failure)) })
  }
}

const maxBatchSize = 512

/** Sends the lines that the loggers write. Provides {@link LineExport} for lines that bypass the loggers. */
export const layer = (options: OtlpOptions): Layer.Layer<never> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { exporter, pause, services } = yield* makeExport("Log lines", options)
      const serialization = Context.get(services, OtlpSerialization.OtlpSerialization)
      const { resource: names, ...transport } = exporter
      const resource = yield* OtlpResource.fromConfig(names)
      const { push } = yield* OtlpExporter.make({
        ...transport,
        label: "OtlpLogger",
        maxBatchSize,
        body: (logRecords: Array<LogRecord>) => [
          serialization.logs({
            resourceLogs: [{ resource, scopeLogs: [{ scope: { name: "livery" }, logRecords }] }]
          }),
          Effect.void
        ]
      }).pipe(Effect.provideContext(services))
      const write = (line: ExportedLine) => {
        if (!pause.isPaused()) push(recordOf(line))
      }
      return Layer.merge(
        Logger.layer([Logger.make((entry) => write(lineOf(entry)))], { mergeWithExisting: true }),
        Layer.succeed(LineExport, write)
      )
    })
  )
