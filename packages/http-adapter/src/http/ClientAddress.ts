/** Whose address a request comes from, for the limits per address. */
import { Context, Effect } from "effect"
import { HttpServerRequest } from "effect/http"

/** How many proxies in front are trusted to have written `X-Forwarded-For` (`TRUSTED_PROXIES`). */
export const TrustedProxies = Context.Reference<number>("@livery/http-adapter/TrustedProxies", {
  defaultValue: () => 0
})

const groups = (half: string) => (half === "" ? [] : half.split(":"))

/** The /64 network of an IPv6 address: what one customer line usually holds. IPv4 stays as it is. */
export const limitedAs = (address: string): string => {
  const bare = address
    .replace(/^\[|\]$/gu, "")
    .replace(/%.*$/u, "")
    .toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/u.exec(bare)?.[1]
  if (mapped !== undefined) return mapped
  if (!bare.includes(":")) return bare
  const [head = "", tail] = bare.split("::", 2)
  const left = groups(head)
  const right = tail === undefined ? [] : groups(tail)
  const middle = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0")
  const network = [...left, ...(tail === undefined ? [] : middle), ...right].slice(0, 4)
  return `${network.map((group) => group.replace(/^0+(?=.)/u, "")).join(":")}::/64`
}

/**
 * The client's address behind `trusted` proxies: each of them appended who called it, so the client is that many
 * entries from the right. Anything further left is the client's own claim.
 */
export const behindProxies = (peer: string, forwarded: string | undefined, trusted: number): string => {
  if (trusted === 0 || forwarded === undefined) return peer
  const hops = forwarded.split(",").map((hop) => hop.trim())
  const hop = hops[Math.max(0, hops.length - trusted)]
  return hop === undefined || hop === "" ? peer : hop.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/u, "$1")
}

/** The address that the request at hand is limited by. */
export const clientAddress = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const trusted = yield* TrustedProxies
  const peer = request.remoteAddress
  const address = peer._tag === "Some" ? peer.value : "unknown"
  return limitedAs(behindProxies(address, request.headers["x-forwarded-for"], trusted))
})
