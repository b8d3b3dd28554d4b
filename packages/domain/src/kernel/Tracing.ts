/**
 * Traces of requests, deliveries and rounds of workers. Only a sampled one has a tracer in its context, so that tracing
 * costs all others nothing.
 */
import { Clock, Context, Effect, Exit, type Fiber, Option, References, Tracer } from "effect"

/**
 * Creates the first span of a trace, or `undefined` if it is not sampled. `parent` is the span of the caller, if it
 * sent one.
 */
export type StartSpan = (options: {
  readonly name: string
  readonly kind: Tracer.SpanKind
  readonly parent: Tracer.ExternalSpan | undefined
  /** When the span starts, in Unix milliseconds. */
  readonly startedAt: number
}) => Tracer.Span | undefined

/** The tracer of this process; `undefined` if nothing is traced. */
export const Tracing = Context.Reference<
  { readonly tracer: Tracer.Tracer; readonly start: StartSpan } | undefined
>("@livery/domain/Tracing", { defaultValue: () => undefined })

/** A context in which effects create spans below `span`, with its tracer. */
export const tracedContext = <R>(
  context: Context.Context<R>,
  tracer: Tracer.Tracer,
  span: Tracer.Span
): Context.Context<R> =>
  context.pipe(
    Context.add(Tracer.Tracer, tracer),
    Context.add(References.TracerEnabled, true),
    Context.add(Tracer.ParentSpan, span)
  ) as Context.Context<R>

const traceParent = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-|$)/u

/** The span that a `traceparent` header (W3C Trace Context) names; `undefined` if it is absent or malformed. */
export const spanOfTraceParent = (header: string | null | undefined): Tracer.ExternalSpan | undefined => {
  if (header === undefined || header === null || header.length > 512) return undefined
  const [, traceId, spanId, flags = ""] = traceParent.exec(header) ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  return Tracer.externalSpan({ traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 })
}

/** The `traceparent` of the span in which a fiber runs; null if the fiber is not traced. */
export const traceParentOf = (fiber: Fiber.Fiber<unknown, unknown>): string | null => {
  if (!fiber.getRef(References.TracerEnabled) || fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer)
    return null
  const span = Context.getOption(fiber.context, Tracer.ParentSpan)
  return Option.isSome(span) && span.value.sampled ? `00-${span.value.traceId}-${span.value.spanId}-01` : null
}

/** A span's failure without its message and its stack, which may contain personal data. */
export class SpanFailed extends Error {
  constructor(name: string) {
    super(name)
    this.name = name
    delete this.stack
  }
}

/** Ends a span at a time in Unix milliseconds. `failure` is the name of an error, if it failed. */
export const endSpan = (span: Tracer.Span, at: number, failure?: string): void =>
  span.end(nanosOf(at), failure === undefined ? Exit.void : Exit.die(new SpanFailed(failure)))

/**
 * Runs a round of a worker. The sampler of requests decides whether the round is traced: then it runs in the first span of
 * a trace, else without any span.
 */
export const tracedRound = <A, E, R>(name: string, round: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const tracing = fiber.getRef(Tracing)
    if (tracing === undefined) return round
    const clock = fiber.getRef(Clock.Clock)
    const startedAt = clock.currentTimeMillisUnsafe()
    const span = tracing.start({ name, kind: "internal", parent: undefined, startedAt })
    if (span === undefined) return round
    return round.pipe(
      Effect.updateContext((context: Context.Context<R>) => tracedContext(context, tracing.tracer, span)),
      Effect.onExit((exit) => Effect.sync(() => span.end(nanosOf(clock.currentTimeMillisUnsafe()), exit)))
    )
  })

/** Unix nanoseconds of Unix milliseconds. */
export const nanosOf = (millis: number): bigint => BigInt(Math.round(millis * 1000)) * 1000n
