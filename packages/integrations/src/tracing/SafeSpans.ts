/**
 * Keeps personal data and secrets out of spans: only the attributes of a list are recorded. The parameters of statements
 * never are. A failure has the name of its error, without message, stack and events.
 */
import { Cause, Exit, Predicate, Tracer } from "effect"
import { SpanFailed } from "@livery/domain"

const queryText = "db.query.text"

/** The attributes that are recorded, beside those of Livery itself. */
const recorded = new Set([
  "db.system.name",
  queryText,
  "http.request.method",
  "http.response.status_code",
  "http.route"
])

/** The longest text of a statement in a span. */
const maxQueryLength = 300

/** The operation and the table of a statement: `INSERT trips`. */
const summaryOf = (text: string): string => {
  const [, operation, table] = /\b(INSERT INTO|UPDATE|DELETE FROM|FROM)\s+([a-z_]+)/u.exec(text) ?? []
  if (operation === undefined) return /^\s*([a-z]+)/iu.exec(text)?.[1]?.toUpperCase() ?? "SQL"
  return `${operation === "FROM" ? "SELECT" : operation.split(" ")[0]} ${table}`
}

/** Summaries by statement: an application has a limited number of statements, and few are built from parts. */
const summaries = new Map<string, string>()
const maxSummaries = 2_000

const cachedSummary = (text: string): string => {
  const known = summaries.get(text)
  if (known !== undefined) return known
  if (summaries.size >= maxSummaries) summaries.clear()
  const summary = summaryOf(text)
  summaries.set(text, summary)
  return summary
}

/** The name of a failure: the tag of the error, or its class. */
export const failureName = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  if (Predicate.hasProperty(error, "_tag") && typeof error._tag === "string") return error._tag
  return error instanceof Error ? error.name : "failure"
}

const safeExit = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit)) return Exit.void
  if (Cause.hasInterruptsOnly(exit.cause)) return exit
  const error = Cause.squash(exit.cause)
  return error instanceof SpanFailed ? exit : Exit.die(new SpanFailed(failureName(exit.cause)))
}

/**
 * Changes a span so that it records only the permitted attributes. It stays the same object, because the exporter reads its
 * fields.
 */
const restricted = (span: Tracer.Span): Tracer.Span => {
  const setAttribute = span.attribute.bind(span)
  const end = span.end.bind(span)
  return Object.assign(span, {
    attribute: (key: string, value: unknown) => {
      if (key === queryText) {
        const text = String(value)
        Object.assign(span, { name: cachedSummary(text) })
        setAttribute(key, text.slice(0, maxQueryLength))
      } else if (recorded.has(key) || key.startsWith("livery.")) setAttribute(key, value)
    },
    event: () => undefined,
    end: (at: bigint, exit: Exit.Exit<unknown, unknown>) => end(at, safeExit(exit))
  })
}

/** A tracer whose spans are restricted. */
export const restrictedTracer = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({ span: (options) => restricted(tracer.span(options)) })
