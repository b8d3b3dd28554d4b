/** The one log line of each request. */
import { Context } from "effect"
import type { RequestState } from "./CurrentRequest.ts"

/** What the line says. */
export interface RequestLogEntry {
  readonly level: "debug" | "info"
  /** When the request ended, in Unix milliseconds. */
  readonly at: number
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly durationMillis: number
  readonly userId: number | undefined
  readonly businessId: number | undefined
}

/**
 * Writes the line of each request. Without one, Effect's loggers write it; a function with a prepared formatter takes
 * a fraction of their time.
 */
export const RequestLog = Context.Reference<((entry: RequestLogEntry) => void) | undefined>(
  "@livery/http-adapter/RequestLog",
  { defaultValue: () => undefined }
)

/** Written as the router reads it: `%70ublic` is `public`. */
const decoded = (path: string) =>
  path.replaceAll(/%([0-7][\da-f])/giu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** Of a path that no route has: it may be a mistyped public path or upload, whose last part is a credential. */
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

/** The line of a request that ended so. */
export const entryOf = (request: RequestState, status: number, at: number): RequestLogEntry => ({
  level: request.traits.logLevel,
  at,
  requestId: request.id,
  method: request.method,
  path: loggedPath(request),
  status,
  durationMillis: Math.max(0, at - request.startedAt),
  userId: request.userId,
  businessId: request.businessId
})
