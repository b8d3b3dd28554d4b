/**
 * Signing in by redirect: the authorization code flow of OpenID Connect with PKCE (RFC 7636).
 *
 * The browser keeps one secret in a cookie. State, nonce and PKCE verifier are made of that secret and the issuer. Nothing is
 * stored on the server, and what comes back is only good in the browser that began, and only from the provider that it began
 * with.
 */
import { Redacted } from "effect"
import { createHash, createHmac } from "node:crypto"
import type { OidcIssuer, SignInButton } from "./OidcIssuers.ts"
import { type Discovery, ProviderUnavailable, postForm } from "./ProviderDocument.ts"

/** A provider with a button. */
export type ButtonIssuer = OidcIssuer & { readonly button: SignInButton }

/** Values that only the holder of the secret can make. */
export const proofsOf = (secret: Redacted.Redacted, issuer: string) => {
  const proof = (use: string) =>
    createHmac("sha256", Redacted.value(secret)).update(`${use} ${issuer}`).digest("base64url")
  return { state: proof("state"), nonce: proof("nonce"), verifier: proof("verifier") }
}

const missing = (issuer: string, endpoint: string) =>
  new ProviderUnavailable({ address: issuer, reason: `its configuration has no valid ${endpoint}` })

/** The address to which the browser goes. */
export const authorizationAddress = (
  { button: { clientId }, issuer }: ButtonIssuer,
  { authorization_endpoint }: Discovery,
  secret: Redacted.Redacted,
  redirectAddress: string
): string => {
  if (authorization_endpoint === undefined) throw missing(issuer, "authorization_endpoint")
  const { nonce, state, verifier } = proofsOf(secret, issuer)
  const address = new URL(authorization_endpoint)
  const query = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectAddress,
    scope: "openid email profile",
    state,
    nonce,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256"
  }
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  return address.href
}

/** A part of the credentials, in the encoding of forms (RFC 6749, section 2.3.1). */
const formEncoded = (text: string) => new URLSearchParams({ "": text }).toString().slice(1)

/** Exchanges a code for an identity token; undefined if the provider refuses the code. */
export const exchangeCode = async (
  { button: { clientId, clientSecret }, issuer }: ButtonIssuer,
  { token_endpoint, token_endpoint_auth_methods_supported: methods }: Discovery,
  code: Redacted.Redacted,
  verifier: string,
  redirectAddress: string,
  timeout: number
): Promise<string | undefined> => {
  if (token_endpoint === undefined) throw missing(issuer, "token_endpoint")
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    code: Redacted.value(code),
    redirect_uri: redirectAddress,
    client_id: clientId,
    code_verifier: verifier
  })
  const headers: Record<string, string> = {}
  if (clientSecret !== undefined) {
    const secret = Redacted.value(clientSecret)
    // Without a list, a provider takes the header (OpenID Connect Discovery, section 3).
    if (methods === undefined || methods.includes("client_secret_basic"))
      headers["authorization"] = `Basic ${btoa(`${formEncoded(clientId)}:${formEncoded(secret)}`)}`
    else form.set("client_secret", secret)
  }
  const answer = await postForm(token_endpoint, form, headers, timeout)
  if (answer === undefined) return undefined
  if (
    typeof answer === "object" &&
    answer !== null &&
    "id_token" in answer &&
    typeof answer.id_token === "string"
  )
    return answer.id_token
  throw new ProviderUnavailable({ address: token_endpoint, reason: "its response has no identity token" })
}
