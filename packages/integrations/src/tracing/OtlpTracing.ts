/** Traces over OTLP/HTTP, by Effect's exporter. */
import { Context, Effect, Layer, Option } from "effect"
import { OtlpTracer } from "effect/observability"
import { nanosOf, type StartSpan, Tracing } from "@livery/domain"
import { makeExport, type OtlpOptions } from "./OtlpExport.ts"
import { restrictedTracer } from "./SafeSpans.ts"
import { makeSampler, type SamplerName } from "./Sampler.ts"

/** The collector of traces, and which traces are sent. */
export interface OtlpTracingOptions extends OtlpOptions {
  readonly sampler: SamplerName
  /** The share of recorded traces, for a sampler with `traceidratio`. */
  readonly ratio: number
}

const maxBatchSize = 512

/** Sends the spans of sampled requests and deliveries. Provides {@link Tracing}. */
export const layer = (options: OtlpTracingOptions): Layer.Layer<never> =>
  Layer.effect(
    Tracing,
    Effect.gen(function* () {
      const { exporter, pause, services } = yield* makeExport("Traces", options)
      const tracer = restrictedTracer(
        yield* OtlpTracer.make({ ...exporter, maxBatchSize }).pipe(Effect.provideContext(services))
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
