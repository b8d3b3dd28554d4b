import { createServer, type ServerResponse } from "node:http"
import { vi } from "vitest"

/** A value of an attribute, as OTLP/JSON encodes it. */
interface Value {
  readonly stringValue?: string
  readonly intValue?: number | string
}

type Attributes = ReadonlyArray<{ readonly key: string; readonly value: Value }>

/** A span as OTLP/JSON encodes it. */
export interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: Attributes
  readonly status: { readonly code: number; readonly message?: string }
}

/** A log line as OTLP/JSON encodes it. */
interface OtlpLine {
  readonly severityNumber: number
  readonly severityText: string
  readonly body: Value
  readonly attributes: Attributes
  readonly traceId?: string
}

/** A number of a metric, or a histogram, as OTLP/JSON encodes it. */
export interface OtlpPoint {
  readonly attributes: Attributes
  readonly asDouble?: number | "NaN"
  readonly count?: number
  readonly sum?: number
  readonly bucketCounts?: ReadonlyArray<number>
  readonly explicitBounds?: ReadonlyArray<number>
}

interface Points {
  readonly dataPoints: ReadonlyArray<OtlpPoint>
}

/** A metric as OTLP/JSON encodes it. */
export interface OtlpMetric {
  readonly name: string
  readonly sum?: Points & { readonly isMonotonic: boolean }
  readonly gauge?: Points
  readonly histogram?: Points
}

interface Export {
  readonly resourceLogs: ReadonlyArray<{
    readonly scopeLogs: ReadonlyArray<{ readonly logRecords: ReadonlyArray<OtlpLine> }>
  }>
  readonly resourceMetrics: ReadonlyArray<{
    readonly scopeMetrics: ReadonlyArray<{ readonly metrics: ReadonlyArray<OtlpMetric> }>
  }>
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: { readonly attributes: Attributes }
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<OtlpSpan> }>
  }>
}

/** A collector on loopback, which takes OTLP/HTTP in JSON. */
export interface Collector {
  readonly address: string
  readonly spans: () => ReadonlyArray<OtlpSpan>
  readonly lines: () => ReadonlyArray<OtlpLine>
  /** The metrics of the last export. */
  readonly metrics: () => ReadonlyArray<OtlpMetric>
  /** Everything that was received: paths, headers and bodies. */
  readonly received: ReadonlyArray<{
    readonly path: string
    readonly headers: Readonly<Record<string, unknown>>
    readonly raw: string
  }>
  /** The spans of the trace of a request, once its span and `others` more spans of it have arrived. */
  readonly traceOf: (requestId: string, has: (span: OtlpSpan) => boolean) => Promise<ReadonlyArray<OtlpSpan>>
  readonly close: () => Promise<void>
}

/** An attribute of a span, a line or a point. */
export const attribute = (
  { attributes }: { readonly attributes: Attributes },
  name: string
): string | number | undefined => {
  const value = attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? (value?.intValue === undefined ? undefined : Number(value.intValue))
}

/** Opens a collector on a free port. `respond` may leave the response open. */
export const collector = async (
  respond: (response: ServerResponse) => void = (response) => response.writeHead(200).end("{}")
): Promise<Collector> => {
  const received: Array<Collector["received"][number]> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const raw = Buffer.concat(chunks).toString("utf8")
      received.push({ path: request.url ?? "", headers: request.headers, raw })
      respond(response)
    })
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })
  const exports = (signal: string) =>
    received.filter(({ path }) => path.endsWith(`/v1/${signal}`)).map(({ raw }) => JSON.parse(raw) as Export)
  const spans = () =>
    exports("traces").flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
    )
  return {
    address: `http://127.0.0.1:${port}`,
    spans,
    lines: () =>
      exports("logs").flatMap(({ resourceLogs }) =>
        resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords))
      ),
    metrics: () =>
      exports("metrics")
        .slice(-1)
        .flatMap(({ resourceMetrics }) =>
          resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
        ),
    received,
    traceOf: (requestId, has) =>
      vi.waitUntil(
        () => {
          const all = spans()
          const root = all.find((span) => attribute(span, "livery.request.id") === requestId)
          const trace = root && all.filter(({ traceId }) => traceId === root.traceId)
          return trace?.some(has) === true ? trace : undefined
        },
        { timeout: 20_000, interval: 10 }
      ),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
