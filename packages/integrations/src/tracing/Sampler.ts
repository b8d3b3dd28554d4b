/** Decides which traces are recorded, by the standard setting `OTEL_TRACES_SAMPLER`. */
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
/** One of {@link samplerNames}. */
export type SamplerName = (typeof samplerNames)[number]

/** Returns whether a trace with that parent is recorded. */
export type Sampler = (parent: Tracer.ExternalSpan | undefined) => boolean

/** The last 32 bits of a trace id as a number from 0 to 1. They are random in every version of the standard. */
const fractionOf = (traceId: string) => Number.parseInt(traceId.slice(-8), 16) / 2 ** 32

/**
 * The sampler of a name. `ratio` is the share of recorded traces, for the names with `traceidratio`. With `parentbased_`,
 * the caller's flag decides for requests with a `traceparent`.
 */
export const makeSampler = (name: SamplerName, ratio: number): Sampler => {
  const byRatio: Sampler = (parent) =>
    (parent === undefined ? Math.random() : fractionOf(parent.traceId)) < ratio
  const always: Sampler = () => name.endsWith("always_on")
  const root = name.endsWith("traceidratio") ? byRatio : always
  if (!name.startsWith("parentbased_")) return root
  return (parent) => parent?.sampled ?? root(parent)
}
