/** Metrics over OTLP/HTTP, by Effect's exporter: the numbers of `GET /metrics`. */
import { Effect, Layer, Metric } from "effect"
import { OtlpMetrics } from "effect/observability"
import { MetricsExport, type MetricsExportShape } from "@livery/domain"
import { makeExport, type OtlpOptions } from "./OtlpExport.ts"

/** A registry that has the metrics of another one, and of the sources at the moment at which it is read. */
class ExportedMetrics extends Map<string, Metric.Metric.Metadata<unknown, unknown>> {
  readonly #registry: Metric.MetricRegistry
  readonly #sources: MetricsExportShape["sources"]

  constructor(registry: Metric.MetricRegistry, sources: MetricsExportShape["sources"]) {
    super()
    this.#registry = registry
    this.#sources = sources
  }

  override *values() {
    yield* this.#registry.values()
    for (const source of this.#sources)
      for (const { attributes, description, id, state, type } of source())
        yield {
          id,
          type,
          description,
          attributes,
          hooks: { get: () => state, update: () => undefined, modify: () => undefined }
        }
    return undefined
  }
}

/** Sends all metrics at the interval, as totals since the start of the process. Provides {@link MetricsExport}. */
export const layer = (options: OtlpOptions): Layer.Layer<never> =>
  Layer.effect(
    MetricsExport,
    Effect.gen(function* () {
      const sources: MetricsExportShape["sources"] = new Set()
      const registry = new ExportedMetrics(yield* Metric.MetricRegistry, sources)
      const { exporter, services } = yield* makeExport("Metrics", options)
      yield* OtlpMetrics.make(exporter).pipe(
        Effect.provideContext(services),
        Effect.provideService(Metric.MetricRegistry, registry)
      )
      return { interval: options.interval, sources }
    })
  )
