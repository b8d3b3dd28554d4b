/** Whose address a request comes from, for the limits per address. */
import { Context, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { isIPv6 } from "node:net"

/** How many proxies in front are trusted to have written `X-Forwarded-For` (`TRUSTED_PROXIES`). */
export const TrustedProxies = Context.Reference<number>("@livery/http-adapter/TrustedProxies", {
  defaultValue: () => 0
})

const ofIpv4 = (dotted: string) => {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split(".").map(Number)
  return [(a << 8) | b, (c << 8) | d]
}

const groupsIn = (half: string) =>
  half === ""
    ? []
    : half.split(":").flatMap((group) => (group.includes(".") ? ofIpv4(group) : [Number.parseInt(group, 16)]))

/** The eight groups of an IPv6 address, however it is abbreviated. */
const groupsOf = (address: string) => {
  const [head = "", tail = ""] = address.split("::", 2)
  const [left, right] = [groupsIn(head), groupsIn(tail)]
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right]
}

/** The address alone, as proxies write it: with a port, in brackets, with a zone. */
const withoutPort = (hop: string) =>
  (/^\[([^\]]*)\](?::\d+)?$/u.exec(hop)?.[1] ?? /^([\d.]+):\d+$/u.exec(hop)?.[1] ?? hop).replace(/%.*$/u, "")

/**
 * What an address is limited as: the /64 network of IPv6, which is what one customer line usually holds; IPv4 as it
 * is, also where it is written as IPv6 (`::ffff:192.0.2.1`, `::ffff:c000:201`). What is no address stays as it is.
 */
export const limitedAs = (address: string): string => {
  const bare = withoutPort(address)
  if (!isIPv6(bare)) return bare.toLowerCase()
  const groups = groupsOf(bare)
  const [high = 0, low = 0] = groups.slice(6)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return [high >> 8, high & 255, low >> 8, low & 255].join(".")
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`
}

/**
 * The client's address behind `trusted` proxies: each of them appended who called it, so the client is that many
 * entries from the right. Anything further left is the client's own claim.
 */
export const behindProxies = (peer: string, forwarded: string | undefined, trusted: number): string => {
  if (trusted === 0 || forwarded === undefined) return peer
  const hops = forwarded.split(",").map((hop) => hop.trim())
  const hop = hops[Math.max(0, hops.length - trusted)]
  return hop === undefined || hop === "" ? peer : hop
}

/** The address that the request at hand is limited by. */
export const clientAddress = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const trusted = yield* TrustedProxies
  const peer = request.remoteAddress
  const address = peer._tag === "Some" ? peer.value : "unknown"
  return limitedAs(behindProxies(address, request.headers["x-forwarded-for"], trusted))
})
