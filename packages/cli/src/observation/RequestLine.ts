/**
 * The log line of a request, in the format of the other lines. It is concatenated from its parts, because that is faster
 * than serialising an object, and every request writes one.
 */
import type { RequestLogEntry } from "@livery/http-adapter"

let lastAt = Number.NaN
let lastTime = ""

/** The time of a line. It is formatted once for all lines of a millisecond. */
const timeOf = (at: number) => {
  if (at !== lastAt) {
    lastAt = at
    lastTime = new Date(at).toISOString()
  }
  return lastTime
}

/** A text as JSON. Most paths have no character that must be escaped. */
const quoted = (text: string) => (/^[ !#-[\]-~]*$/u.test(text) ? `"${text}"` : JSON.stringify(text))

/** The line as JSON. */
export const requestLine = (entry: RequestLogEntry): string => {
  const { at, businessId, durationMillis, level, method, path, requestId, status, traceId, userId } = entry
  const user = userId === undefined ? "" : `,"user_id":${userId}`
  const business = businessId === undefined ? "" : `,"business_id":${businessId}`
  const trace = traceId === undefined ? "" : `,"trace_id":"${traceId}"`
  return (
    `{"time":"${timeOf(at)}","level":"${level}","message":"request","request_id":"${requestId}",` +
    `"method":${quoted(method)},"path":${quoted(path)},"status":${status},"duration_ms":${durationMillis}${user}${business}${trace}}`
  )
}
