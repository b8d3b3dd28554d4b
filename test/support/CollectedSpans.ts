import { nanosOf, type StartSpan } from "@livery/domain"
import { Context, Option, Tracer } from "effect"

/** Tracing of everything, and the spans that it collects. */
export const collectSpans = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const tracing = {
    tracer,
    start: ({ kind, name, parent, startedAt }: Parameters<StartSpan>[0]) =>
      tracer.span({
        name,
        kind,
        parent: Option.fromUndefinedOr(parent),
        annotations: Context.empty(),
        links: [],
        startTime: nanosOf(startedAt),
        root: false,
        sampled: true
      })
  }
  return { spans, tracing }
}
