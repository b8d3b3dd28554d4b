/** The address that a request comes from, for the limits per address. */
import { Context, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import ipaddr from "ipaddr.js"
import { headerOf } from "./IncomingRequest.ts"

/** How many proxies in front are trusted to have written `X-Forwarded-For` (`TRUSTED_PROXIES`). */
export const TrustedProxies = Context.Reference<number>("@livery/http-adapter/TrustedProxies", {
  defaultValue: () => 0
})

/** The address alone, as proxies write it: with a port, in brackets, with a zone. */
const withoutPort = (hop: string) =>
  (/^\[([^\]]*)\](?::\d+)?$/u.exec(hop)?.[1] ?? /^([\d.]+):\d+$/u.exec(hop)?.[1] ?? hop).replace(/%.*$/u, "")

/** The network of 64 bits that one customer's line usually holds. */
const networkOf = ({ parts }: ipaddr.IPv6) =>
  `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`

/**
 * The address as limits count it: IPv6 by its /64 network; IPv4 as it is, also where it is written as IPv6
 * (`::ffff:192.0.2.1`, `::ffff:c000:201`). A text that is no address stays as it is.
 */
export const limitedAs = (address: string): string => {
  const bare = withoutPort(address).toLowerCase()
  if (!bare.includes(":") || !ipaddr.IPv6.isValid(bare)) return bare
  const parsed = ipaddr.IPv6.parse(bare)
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : networkOf(parsed)
}

/**
 * The client's address behind `trusted` proxies. Each of them appended the address that called it, so the client is
 * that many entries from the right. Anything further left is the client's own claim.
 */
export const behindProxies = (peer: string, forwarded: string | undefined, trusted: number): string => {
  if (trusted === 0 || forwarded === undefined) return peer
  const hops = forwarded.split(",").map((hop) => hop.trim())
  const hop = hops[Math.max(0, hops.length - trusted)]
  return hop === undefined || hop === "" ? peer : hop
}

/** The address that a request is limited by. */
export const addressOf = (request: HttpServerRequest.HttpServerRequest, trusted: number): string => {
  const peer = Option.getOrElse(request.remoteAddress, () => "unknown")
  return limitedAs(trusted === 0 ? peer : behindProxies(peer, headerOf(request, "x-forwarded-for"), trusted))
}
