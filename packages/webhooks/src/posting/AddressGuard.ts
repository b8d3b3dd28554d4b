/**
 * Decides to which addresses a webhook may be sent: only those of the public internet. A business chooses its
 * receivers' URLs, so without this check anyone with an account could make the server send requests into its own
 * network.
 *
 * `checkUrl` checks the text of a URL. When the sender connects, it checks the resolved addresses with {@link
 * allowsAddress}.
 */
import { AddressPolicy } from "@livery/domain"
import { Layer } from "effect"
import ipaddr from "ipaddr.js"

/** Which addresses are allowed beyond those of the public internet. */
export interface GuardOptions {
  /** Allows `http:` and private addresses, for development and tests; false by default. */
  readonly allowInsecure?: boolean | undefined
}

// Azure's platform services respond on this address from within every Azure machine, though it looks public.
const platformAddresses = new Set(["168.63.129.16"])

// The only IPv6 block that is assigned to global unicast. ipaddr.js recognises the reserved ranges within it.
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/**
 * Whether an address, in its usual notation, is global unicast. False also for addresses that wrap an IPv4 address
 * (mapped, NAT64, 6to4, Teredo) or name a zone, and for texts that are no address.
 */
export const isGlobalUnicast = (address: string): boolean => {
  if (address.includes("%") || !ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== "unicast") return false
  return parsed instanceof ipaddr.IPv6
    ? parsed.match(globalUnicast)
    : !platformAddresses.has(parsed.toString())
}

/** Whether a connection to this address may be opened. */
export const allowsAddress = (address: string, options?: GuardOptions): boolean =>
  options?.allowInsecure === true ? ipaddr.isValid(address) : isGlobalUnicast(address)

// Ports of mail servers and remote shells, which receive no webhooks and must not get requests from this server.
const blockedPorts = new Set(["0", "22", "25", "465", "587"])

/** Whether a name is only defined within one machine or one network. */
const isLocalName = (host: string): boolean =>
  !host.includes(".") || /\.(?:localhost|local|internal|lan|home\.arpa)$/u.test(host)

/** The host of a URL as an address literal, without brackets; undefined for a name. */
const addressLiteralOf = (url: URL): string | undefined => {
  const host = url.hostname.replace(/^\[(.*)\]$/u, "$1")
  return ipaddr.isValid(host) ? host : undefined
}

/**
 * The parsed URL if webhooks may be sent to it, else undefined: `https`, no credentials, no address literal
 * outside global unicast, no local name, no port of another service. Other notations of an address (decimal, octal,
 * hexadecimal, shortened) are normalized by the URL parser first.
 */
export const checkUrl = (text: string, options?: GuardOptions): URL | undefined => {
  const url = URL.parse(text)
  if (url === null || url.hostname === "" || url.username !== "" || url.password !== "") return undefined
  const insecure = options?.allowInsecure === true
  if (url.protocol !== "https:" && !(insecure && url.protocol === "http:")) return undefined
  if (blockedPorts.has(url.port)) return undefined
  const literal = addressLiteralOf(url)
  if (literal !== undefined) return allowsAddress(literal, options) ? url : undefined
  return insecure || !isLocalName(url.hostname.replace(/\.$/u, "")) ? url : undefined
}

/** The domain's `AddressPolicy`: it refuses a URL on registration if the sender would refuse it at every attempt. */
export const layer = (options?: GuardOptions): Layer.Layer<AddressPolicy> =>
  Layer.succeed(AddressPolicy, AddressPolicy.of({ allows: (url) => checkUrl(url, options) !== undefined }))
