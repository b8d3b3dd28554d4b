/** Which traces are recorded, by the standard setting `OTEL_TRACES_SAMPLER`. */
import type { Tracer } from "effect"

/** The names of `OTEL_TRACES_SAMPLER`. */
export const samplerNames = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio"
] as const
export type SamplerName = (typeof samplerNames)[number]

/** Returns whether a trace with that parent is recorded. */
export type Sampler = (parent: Tracer.ExternalSpan | undefined) => boolean

/** The first 32 bits of a trace id that are random by every version of the standard, as a share of 1. */
const shareOf = (traceId: string) => Number.parseInt(traceId.slice(-8), 16) / 2 ** 32

/**
 * The sampler of a name. `ratio` is the share of recorded traces, for the names with `traceidratio`. With `parentbased_`,
 * the caller's flag decides for requests with a `traceparent`.
 */
export const makeSampler = (name: SamplerName, ratio: number): Sampler => {
  const root: Sampler = name.endsWith("traceidratio")
    ? (parent) => (parent === undefined ? Math.random() : shareOf(parent.traceId)) < ratio
    : () => name.endsWith("always_on")
  return name.startsWith("parentbased_")
    ? (parent) => (parent === undefined ? root(parent) : parent.sampled)
    : root
}
