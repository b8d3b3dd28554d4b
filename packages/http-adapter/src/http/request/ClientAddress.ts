/** The address that a request comes from, for the limits per address. */
import { Context, Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import ipaddr from "ipaddr.js"
import { headerOf } from "./IncomingRequest.ts"

/** The number of trusted proxies in front of the server that append to `X-Forwarded-For` (`TRUSTED_PROXIES`). */
export const TrustedProxies = Context.Reference<number>("@livery/http-adapter/TrustedProxies", {
  defaultValue: () => 0
})

/** The address without the port, brackets or zone that proxies may write. */
const withoutPort = (hop: string) =>
  (/^\[([^\]]*)\](?::\d+)?$/u.exec(hop)?.[1] ?? /^([\d.]+):\d+$/u.exec(hop)?.[1] ?? hop).replace(/%.*$/u, "")

/** The /64 network of an IPv6 address. One subscriber usually has a whole one. */
const networkOf = ({ parts }: ipaddr.IPv6) =>
  `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`

/**
 * The key of an address for limits: the /64 network of an IPv6 address, or the IPv4 address, also where it is written
 * as IPv6 (`::ffff:192.0.2.1`, `::ffff:c000:201`). A text that is not an address is returned as it is.
 */
export const limitKeyOf = (address: string): string => {
  const bare = withoutPort(address).toLowerCase()
  if (!bare.includes(":") || !ipaddr.IPv6.isValid(bare)) return bare
  const parsed = ipaddr.IPv6.parse(bare)
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : networkOf(parsed)
}

/** The most characters of an entry: an address with brackets, a zone and a port has fewer. */
const maxHopLength = 100

/**
 * The client's address behind `trusted` proxies. Each of them appended the address that called it, so the client is
 * that many entries from the right. The entries further left come from the client and cannot be trusted. An entry that is too
 * long for an address counts as absent: a client that reaches the server past a proxy can send any text, and one that is too
 * long for the index of the shared counters would keep them from counting the requests of all others.
 */
export const behindProxies = (peer: string, forwarded: string | undefined, trusted: number): string => {
  if (trusted === 0 || forwarded === undefined) return peer
  const hops = forwarded.split(",").map((hop) => hop.trim())
  const hop = hops[Math.max(0, hops.length - trusted)]
  return hop === undefined || hop === "" || hop.length > maxHopLength ? peer : hop
}

const clientOf = (request: HttpServerRequest.HttpServerRequest, trusted: number): string => {
  const peer = Option.getOrElse(request.remoteAddress, () => "unknown")
  return trusted === 0 ? peer : behindProxies(peer, headerOf(request, "x-forwarded-for"), trusted)
}

/** The key under which the requests of a client's address are limited. */
export const addressOf = (request: HttpServerRequest.HttpServerRequest, trusted: number): string =>
  limitKeyOf(clientOf(request, trusted))

/** The client's whole address, for records that name it. */
export const clientAddress = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.map(TrustedProxies, (trusted) => withoutPort(clientOf(request, trusted)))

const loopbackAddress = /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/u
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/iu

/**
 * Whether a program on the server's own machine sent the request to an address of that machine. A request through a proxy has
 * another host or the header of the proxy.
 */
export const isFromThisMachine = (request: HttpServerRequest.HttpServerRequest): boolean =>
  loopbackAddress.test(withoutPort(Option.getOrElse(request.remoteAddress, () => ""))) &&
  loopbackHost.test(headerOf(request, "host") ?? "") &&
  headerOf(request, "x-forwarded-for") === undefined &&
  headerOf(request, "forwarded") === undefined
