/** The common part of the exports of all signals: the collector, and the services of Effect's exporter. */
import { Duration, Effect, Layer, Redacted } from "effect"
import { OtlpExporter, OtlpSerialization } from "effect/observability"
import { makeBoundedExport } from "./BoundedExport.ts"

/** The collector of a signal, and how the signal is sent. */
export interface OtlpOptions {
  /** The address that takes the signal: `http://collector:4318/v1/traces`. */
  readonly url: string
  readonly protocol: "http/json" | "http/protobuf"
  /** Headers of each export; their values can be secrets. */
  readonly headers: Redacted.Redacted<Readonly<Record<string, string>>>
  readonly serviceName: string
  readonly serviceVersion: string
  /** The time limit of an export. */
  readonly timeout: Duration.Duration
  /** How often the signal is sent. */
  readonly interval: Duration.Duration
}

/** How long a stopping process waits for the last export. It is shorter than the time that a process has to stop. */
const shutdownTimeout = Duration.millis(400)

/** The services of an exporter, its options, and whether it drops the signal at present. `signal` is its name in warnings. */
export const makeExport = Effect.fnUntraced(function* (signal: string, options: OtlpOptions) {
  const { client, pause } = yield* makeBoundedExport(signal, options.timeout)
  const serialization =
    options.protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf
  const services = yield* Layer.build(Layer.mergeAll(client, serialization, OtlpExporter.layerFlusher))
  return {
    pause,
    services,
    exporter: {
      url: options.url,
      headers: Redacted.value(options.headers),
      resource: { serviceName: options.serviceName, serviceVersion: options.serviceVersion },
      exportInterval: options.interval,
      shutdownTimeout
    }
  }
})
