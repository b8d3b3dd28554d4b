/**
 * The log line of a request, formatted as the other lines are. Every request writes one, so it is concatenated
 * from its parts, which is faster than serialising an object.
 */
import type { RequestLogEntry } from "@livery/http-adapter"

let lastAt = Number.NaN
let lastTime = ""

/** The time of a line; the same for every line of a millisecond. */
const timeOf = (at: number) => {
  if (at !== lastAt) {
    lastAt = at
    lastTime = new Date(at).toISOString()
  }
  return lastTime
}

/** A text as JSON. Few paths have characters that must be escaped. */
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
