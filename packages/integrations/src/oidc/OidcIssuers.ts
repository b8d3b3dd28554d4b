/** The identity providers that an installation trusts. */
import { Redacted } from "effect"
import { isLoopback } from "../outgoing/Loopback.ts"

/** The button of a provider on the sign-in page. */
export interface SignInButton {
  /** The name of the provider. */
  readonly name: string
  /** The client id with which the page signs in. */
  readonly clientId: string
  /** Undefined for a client without a secret, which the provider must permit. */
  readonly clientSecret: Redacted.Redacted | undefined
}

/** A provider: its issuer's exact address, the client ids that its tokens may be issued for, and its button, if it has one. */
export interface OidcIssuer {
  readonly issuer: string
  readonly audiences: ReadonlyArray<string>
  readonly button?: SignInButton | undefined
}

/** Whether documents from an address can be trusted: over `https`, or from the loopback interface, for tests. */
export const isTrustworthy = (address: string): boolean => {
  const url = URL.parse(address)
  if (url === null || url.username !== "" || url.password !== "") return false
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname))
}

/** An issuer has neither a query nor a fragment (OpenID Connect Discovery, section 3). */
const isIssuer = (address: string) => isTrustworthy(address) && !/[?#\s]/u.test(address)

/** A name or a secret, in which `,` and `;` are written as `%2C` and `%3B`. */
const decodedPart = (part: string) => {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** The button of an entry; undefined if the entry is wrong. An entry without a name has none. */
const buttonIn = (
  clientId: string,
  name: string | undefined,
  secret: string | undefined
): { readonly button?: SignInButton } | undefined => {
  if (name === undefined) return {}
  const shown = decodedPart(name)
  const clientSecret = secret === undefined ? undefined : decodedPart(secret)
  if (shown === undefined || shown === "" || (secret !== undefined && !clientSecret)) return undefined
  return {
    button: {
      name: shown,
      clientId,
      clientSecret: clientSecret === undefined ? undefined : Redacted.make(clientSecret)
    }
  }
}

/**
 * Parses comma-separated entries `issuer;audience` or `issuer;audience;name;secret`, one for each audience of an issuer. The
 * name gives the issuer a button on the sign-in page; the secret may be left out. `undefined` if an entry is wrong, or if an
 * issuer has two names.
 */
export const readIssuers = (text: string): ReadonlyArray<OidcIssuer> | undefined => {
  const issuers = new Map<string, OidcIssuer>()
  for (const entry of text.split(",")) {
    const [issuer = "", audience = "", name, secret, ...more] = entry.split(";").map((part) => part.trim())
    const named = buttonIn(audience, name, secret)
    if (!isIssuer(issuer) || audience === "" || more.length > 0 || named === undefined) return undefined
    const before = issuers.get(issuer) ?? { issuer, audiences: [] }
    if (before.button !== undefined && named.button !== undefined) return undefined
    issuers.set(issuer, { ...before, ...named, audiences: [...before.audiences, audience] })
  }
  return [...issuers.values()]
}
