/** Requests to a provider, with limits of time and size. */
import { Data, Schema } from "effect"
import { isTrustworthy } from "./OidcIssuers.ts"
import { fetchLimited, sendLimited } from "../outgoing/LimitedFetch.ts"

/** The provider cannot be reached, or its response is not valid. */
export class ProviderUnavailable extends Data.TaggedError("ProviderUnavailable")<{
  readonly address: string
  readonly reason: string
  readonly cause?: unknown
}> {
  override get message() {
    return `The identity provider's ${this.address} is not available: ${this.reason}`
  }
}

/** The address of an endpoint, which documents may name only if it can be trusted. */
const Endpoint = Schema.String.check(Schema.makeFilter(isTrustworthy))

/** The part of a provider's discovery document that Livery uses. */
export const Discovery = Schema.Struct({
  issuer: Schema.String,
  jwks_uri: Endpoint,
  authorization_endpoint: Schema.optionalKey(Endpoint),
  token_endpoint: Schema.optionalKey(Endpoint),
  token_endpoint_auth_methods_supported: Schema.optionalKey(Schema.Array(Schema.String)),
  authorization_response_iss_parameter_supported: Schema.optionalKey(Schema.Boolean)
})
export type Discovery = typeof Discovery.Type

/** The largest document, in bytes. Documents have a few kilobytes. */
const maximumBytes = 256 * 1024

/**
 * The bytes at an address, as a response with status 200. Redirects are not followed. Any other status, an error and an
 * abort of `signal` are `ProviderUnavailable`.
 */
export const fetchDocument = async (address: string, signal: AbortSignal): Promise<Response> =>
  new Response(
    await fetchLimited(address, signal, {
      maximumBytes,
      statuses: [200],
      failure: (reason, cause) => new ProviderUnavailable({ address, reason, cause })
    })
  )

const jsonIn = async (address: string, response: Response): Promise<unknown> => {
  try {
    return await response.json()
  } catch (cause) {
    throw new ProviderUnavailable({ address, reason: "the response is not JSON", cause })
  }
}

/** The JSON at an address, within `timeout` milliseconds. */
export const readDocument = async (address: string, timeout: number): Promise<unknown> =>
  jsonIn(address, await fetchDocument(address, AbortSignal.timeout(timeout)))

/** The `error` of a refusal (RFC 6749, section 5.2), for the log; `undefined` if it has none. */
const errorIn = (body: Buffer): string | undefined => {
  try {
    const answer: unknown = JSON.parse(body.toString())
    const error =
      typeof answer === "object" && answer !== null && "error" in answer ? answer.error : undefined
    return typeof error === "string" && /^[\w.-]{1,60}$/u.test(error) ? error : undefined
  } catch {
    return undefined
  }
}

/**
 * Posts a form to a token endpoint, and returns the JSON of a response with status 200, within `timeout` milliseconds; `undefined`
 * if the provider refuses the code. A provider that refuses this installation, for example because it does not know the client,
 * is `ProviderUnavailable`, because only its configuration can help.
 */
export const postForm = async (
  address: string,
  form: URLSearchParams,
  headers: Readonly<Record<string, string>>,
  timeout: number
): Promise<unknown> => {
  const { body, status } = await sendLimited(
    address,
    { method: "POST", body: form, headers, signal: AbortSignal.timeout(timeout) },
    {
      maximumBytes,
      statuses: [200, 400, 401, 403],
      failure: (reason, cause) => new ProviderUnavailable({ address, reason, cause })
    }
  )
  if (status === 200) return jsonIn(address, new Response(body))
  const error = errorIn(body)
  if (error === "invalid_grant" || (error === undefined && status === 400)) return undefined
  throw new ProviderUnavailable({
    address,
    reason: `the sign-in is configured wrongly, because it answers ${error ?? `status ${status}`}`
  })
}
