/**
 * Which addresses a webhook may be sent to: those of the public internet alone. A business chooses its receivers'
 * URLs, so without this anyone with an account could make the server speak to the network it stands in.
 *
 * A URL is judged here as it is written; what its name resolves to is judged by the sender, with
 * {@link allowsAddress}, when it connects.
 */
import { AddressPolicy } from "@livery/domain"
import { Layer } from "effect"
import ipaddr from "ipaddr.js"

export interface GuardOptions {
  /** Allows `http:` and private addresses, for development and tests; false by default. */
  readonly allowInsecure?: boolean | undefined
}

// Azure's platform services answer on a public-looking address, from inside any of its machines.
const platformAddresses = new Set(["168.63.129.16"])

// Of IPv6 only this block is assigned to global unicast; what is reserved within it, ipaddr.js knows.
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/**
 * Whether an address, in its usual notation, is global unicast. False also for what wraps an IPv4 address
 * (mapped, NAT64, 6to4, Teredo), for an address with a zone, and for what is no address.
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

// Mail and remote shells: nothing that takes webhooks listens there, and what does should not hear from us.
const foreignPorts = new Set(["0", "22", "25", "465", "587"])

/** Names that only mean something within one machine or one network. */
const isLocalName = (host: string): boolean =>
  !host.includes(".") || /\.(?:localhost|local|internal|lan|home\.arpa)$/u.test(host)

/** The host of a URL as an address literal, without brackets; undefined for a name. */
const literalOf = (url: URL): string | undefined => {
  const host = url.hostname.replace(/^\[(.*)\]$/u, "$1")
  return ipaddr.isValid(host) ? host : undefined
}

/**
 * The parsed URL if webhooks may be sent to it, else undefined: `https`, no credentials, no address literal
 * outside global unicast, no local name, no port of another trade. Other notations of an address (decimal, octal,
 * hexadecimal, shortened) are those that the URL standard reads as the same address.
 */
export const checkUrl = (text: string, options?: GuardOptions): URL | undefined => {
  const url = URL.parse(text)
  if (url === null || url.hostname === "" || url.username !== "" || url.password !== "") return undefined
  const insecure = options?.allowInsecure === true
  if (url.protocol !== "https:" && !(insecure && url.protocol === "http:")) return undefined
  if (foreignPorts.has(url.port)) return undefined
  const literal = literalOf(url)
  if (literal !== undefined) return allowsAddress(literal, options) ? url : undefined
  return insecure || !isLocalName(url.hostname.replace(/\.$/u, "")) ? url : undefined
}

/** The domain's `AddressPolicy`: refuses at once what the sender would refuse at every attempt. */
export const layer = (options?: GuardOptions): Layer.Layer<AddressPolicy> =>
  Layer.succeed(AddressPolicy, AddressPolicy.of({ allows: (url) => checkUrl(url, options) !== undefined }))
