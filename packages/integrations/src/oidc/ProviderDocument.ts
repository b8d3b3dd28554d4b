/** Fetches the documents of a provider, with limits of time and size. */
import { Data } from "effect"
import { fetchLimited } from "../outgoing/LimitedFetch.ts"

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

/** The JSON at an address, within `timeout` milliseconds. */
export const readDocument = async (address: string, timeout: number): Promise<unknown> => {
  const response = await fetchDocument(address, AbortSignal.timeout(timeout))
  try {
    return await response.json()
  } catch (cause) {
    throw new ProviderUnavailable({ address, reason: "the response is not JSON", cause })
  }
}
