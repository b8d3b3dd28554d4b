/** Reads parts of a request without converting the whole request. */
import { Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import { IncomingMessage } from "node:http"

type Incoming = Pick<HttpServerRequest.HttpServerRequest, "headers" | "source">

/**
 * A header by its lower-case name. `headers` of a request from Node is not read: Effect copies all headers when it is.
 */
export const headerOf = (request: Incoming, name: string): string | undefined => {
  const { source } = request
  if (!(source instanceof IncomingMessage)) return request.headers[name]
  const value = source.headers[name]
  return Array.isArray(value) ? value.join(", ") : value
}

/** The headers by their lower-case names, for schemas that read a few of them; not copied either. */
export const headersOf = (request: Incoming): object =>
  request.source instanceof IncomingMessage ? request.source.headers : request.headers

/**
 * The credential of the `Authorization: Bearer` header, parsed as Effect's security middleware does: the scheme in any
 * case, one space or more, and the rest. Empty if there is none.
 */
export const bearerOf = (request: Incoming): string =>
  /^bearer +(.+)$/isu.exec(headerOf(request, "authorization") ?? "")?.[1] ?? ""

/** The credential of {@link bearerOf}, for routes that do not require one; undefined if there is none. */
export const bearerCredential = (request: Incoming): Redacted.Redacted | undefined => {
  const credential = bearerOf(request)
  return credential === "" ? undefined : Redacted.make(credential)
}

/**
 * The path without the query, which can contain a driver's token. A proxy may send the absolute form (RFC 9112, 3.2.2).
 */
export const pathOf = (url: string): string => {
  const target = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?#]*/iu, "")
  const end = target.indexOf("?")
  return end === -1 ? target : target.slice(0, end)
}

const isHost = (name: string) => name.length === 4 && name.toLowerCase() === "host"

/**
 * Whether the host is missing or there are several. HTTP/1.1 demands exactly one (RFC 9112, 3.2): of several, a proxy may have
 * checked another one than the first, which Node keeps. HTTP/1.0, which some health checks still use, demands none.
 */
export const hasNoSingleHost = ({ source }: Pick<HttpServerRequest.HttpServerRequest, "source">): boolean => {
  if (!(source instanceof IncomingMessage)) return false
  const { headers, httpVersion, rawHeaders } = source
  if (headers.host === undefined) return httpVersion === "1.1"
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at] ?? "")) hosts += 1
  return hosts > 1
}

/** Whether the body is compressed, which no route reads (RFC 9110, 15.5.16). */
export const hasEncodedBody = (request: Incoming): boolean => {
  const encoding = headerOf(request, "content-encoding")
  return encoding !== undefined && encoding.trim().toLowerCase() !== "identity"
}
