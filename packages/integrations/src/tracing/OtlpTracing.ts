/** Traces over OTLP/HTTP, by Effect's exporter. */
import { Context, Duration, Effect, Layer, Option, Redacted } from "effect"
import { OtlpExporter, OtlpSerialization, OtlpTracer } from "effect/observability"
import { nanosOf, type StartSpan, Tracing } from "@livery/domain"
import { makeBoundedExport } from "./BoundedExport.ts"
import { restrictedTracer } from "./SafeSpans.ts"
import { makeSampler, type SamplerName } from "./Sampler.ts"

/** Where traces are sent, and which. */
export interface OtlpTracingOptions {
  /** The address that takes traces: `http://collector:4318/v1/traces`. */
  readonly url: string
  readonly protocol: "http/json" | "http/protobuf"
  /** Headers of each export; their values can be secrets. */
  readonly headers: Redacted.Redacted<Readonly<Record<string, string>>>
  readonly serviceName: string
  readonly serviceVersion: string
  readonly sampler: SamplerName
  /** The share of recorded traces, for a sampler with `traceidratio`. */
  readonly ratio: number
  /** The time limit of an export. */
  readonly timeout: Duration.Duration
  /** How often spans are sent. */
  readonly interval: Duration.Duration
}

/** How long a stopping process waits for the last spans: less than it may take to stop. */
const shutdownTimeout = Duration.millis(400)

const maxBatchSize = 512

/** Sends the spans of sampled requests and deliveries. Provides {@link Tracing}. */
export const layer = (options: OtlpTracingOptions): Layer.Layer<never> =>
  Layer.effect(
    Tracing,
    Effect.gen(function* () {
      const { client, pause } = yield* makeBoundedExport(options.timeout)
      const serialization =
        options.protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf
      const services = yield* Layer.build(Layer.mergeAll(client, serialization, OtlpExporter.layerFlusher))
      const tracer = restrictedTracer(
        yield* OtlpTracer.make({
          url: options.url,
          headers: Redacted.value(options.headers),
          resource: { serviceName: options.serviceName, serviceVersion: options.serviceVersion },
          exportInterval: options.interval,
          maxBatchSize,
          shutdownTimeout
        }).pipe(Effect.provideContext(services))
      )
      const isSampled = makeSampler(options.sampler, options.ratio)
      const start: StartSpan = ({ kind, name, parent, startedAt }) =>
        isSampled(parent) && !pause.isPaused()
          ? tracer.span({
              name,
              kind,
              parent: Option.fromUndefinedOr(parent),
              startTime: nanosOf(startedAt),
              annotations: Context.empty(),
              links: [],
              root: parent === undefined,
              sampled: true
            })
          : undefined
      return { tracer, start }
    })
  )
