/** The one log line of each request. */
import { Context, Effect } from "effect"
import type { RequestState } from "@livery/contract"

/** The fields of the line. */
export interface RequestLogEntry {
  readonly level: "debug" | "info"
  /** When the request ended, in Unix milliseconds. */
  readonly at: number
  readonly requestId: string
  readonly method: string
  readonly path: string
  /** The pattern of the route; `undefined` for an unknown path. */
  readonly route: string | undefined
  readonly status: number
  readonly durationMillis: number
  readonly userId: number | undefined
  readonly businessId: number | undefined
  /** The id of the trace; `undefined` if the request is not traced. */
  readonly traceId: string | undefined
}

/**
 * Writes the log line of each request. If undefined, Effect's loggers write it; a function with a prepared formatter
 * takes a fraction of their time.
 */
export const RequestLog = Context.Reference<((entry: RequestLogEntry) => void) | undefined>(
  "@livery/http-adapter/RequestLog",
  { defaultValue: () => undefined }
)

/** The path with escapes decoded, as the router matches it: `%70ublic` is `public`. */
const decoded = (path: string) =>
  path.replaceAll(/%([0-7][\da-f])/giu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/**
 * Masks the last part of an unknown path: it may be a mistyped public path or upload, whose last part is a credential.
 */
const maskedUnknown = (path: string) =>
  decoded(path).replace(/((?:\/public\/+[^/]+|^\/+uploads)\/+)[^/]+/iu, "$1…")

/** The path as the log shows it, without credentials. */
export const loggedPath = ({ path, pattern, traits: { secretParameter } }: RequestState): string => {
  if (pattern === undefined || path.includes("%")) return maskedUnknown(path)
  if (secretParameter === undefined) return path
  const secret = pattern.split("/").indexOf(`:${secretParameter}`)
  return path
    .split("/")
    .map((segment, at) => (at === secret ? "…" : segment))
    .join("/")
}

/** The log line of a request that ended with that status at that time. */
export const entryOf = (request: RequestState, status: number, at: number): RequestLogEntry => ({
  level: request.traits.logLevel,
  at,
  requestId: request.id,
  method: request.method,
  path: loggedPath(request),
  route: request.pattern,
  status,
  durationMillis: Math.max(0, at - request.startedAt),
  userId: request.userId,
  businessId: request.businessId,
  traceId: request.span?.traceId
})

/** Writes the log line by Effect's loggers. */
export const logByEffect = ({
  businessId,
  durationMillis,
  level,
  method,
  path,
  status,
  traceId,
  userId
}: RequestLogEntry) =>
  (level === "debug" ? Effect.logDebug : Effect.logInfo)("request", {
    method,
    path,
    status,
    duration_ms: durationMillis,
    ...(userId === undefined ? {} : { user_id: userId }),
    ...(businessId === undefined ? {} : { business_id: businessId }),
    ...(traceId === undefined ? {} : { trace_id: traceId })
  })
