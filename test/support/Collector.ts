import { createServer, type ServerResponse } from "node:http"
import { vi } from "vitest"

/** A value of an attribute, as OTLP/JSON encodes it. */
interface Value {
  readonly stringValue?: string
  readonly intValue?: number | string
}

/** A span as OTLP/JSON encodes it. */
export interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: Value }>
  readonly status: { readonly code: number; readonly message?: string }
}

interface Export {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: { readonly attributes: OtlpSpan["attributes"] }
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<OtlpSpan> }>
  }>
}

/** A collector of traces on loopback, which takes OTLP/HTTP in JSON. */
export interface Collector {
  readonly address: string
  readonly spans: () => ReadonlyArray<OtlpSpan>
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

/** An attribute of a span. */
export const attribute = ({ attributes }: OtlpSpan, name: string): string | number | undefined => {
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
  const spans = () =>
    received.flatMap(({ raw }) =>
      (JSON.parse(raw) as Export).resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap((scope) => scope.spans)
      )
    )
  return {
    address: `http://127.0.0.1:${port}`,
    spans,
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
