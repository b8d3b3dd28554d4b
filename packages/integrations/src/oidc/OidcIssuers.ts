/** The identity providers that an installation trusts. */
import { isLoopback } from "../outgoing/Loopback.ts"

/** A provider: its issuer's exact address, and the client ids that its tokens may be issued for. */
export interface OidcIssuer {
  readonly issuer: string
  readonly audiences: ReadonlyArray<string>
}

/** Whether documents from an address can be trusted: over `https`, or from the loopback interface, for tests. */
export const isTrustworthy = (address: string): boolean => {
  const url = URL.parse(address)
  if (url === null || url.username !== "" || url.password !== "") return false
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname))
}

/** An issuer has neither a query nor a fragment (OpenID Connect Discovery, section 3). */
const isIssuer = (address: string) => isTrustworthy(address) && !/[?#\s]/u.test(address)

/** Parses comma-separated pairs `issuer;audience`, one for each audience of an issuer. `undefined` if a pair is wrong. */
export const readIssuers = (text: string): ReadonlyArray<OidcIssuer> | undefined => {
  const audiences = new Map<string, Array<string>>()
  for (const pair of text.split(",")) {
    const [issuer = "", audience = "", ...more] = pair.split(";").map((part) => part.trim())
    if (!isIssuer(issuer) || audience === "" || more.length > 0) return undefined
    audiences.set(issuer, [...(audiences.get(issuer) ?? []), audience])
  }
  return [...audiences].map(([issuer, listed]) => ({ issuer, audiences: listed }))
}
