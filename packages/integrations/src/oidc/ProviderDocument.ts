/** Fetches the documents of a provider, with limits of time and size. */
import { Data } from "effect"

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

const readBody = async (response: Response, address: string): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop closes the connection.
    if (size > maximumBytes) throw new ProviderUnavailable({ address, reason: "the response is too large" })
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

const get = async (address: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> => {
  try {
    const response = await fetch(address, {
      signal,
      redirect: "manual",
      headers: { accept: "application/json" }
    })
    if (response.status === 200) return await readBody(response, address)
    await response.body?.cancel()
    throw new ProviderUnavailable({ address, reason: `it responded with ${response.status}` })
  } catch (cause) {
    if (cause instanceof ProviderUnavailable) throw cause
    const reason = signal.aborted ? "it took too long" : "it could not be reached"
    throw new ProviderUnavailable({ address, reason, cause })
  }
}

/**
 * The bytes at an address, as a response with status 200. Redirects are not followed. Any other status, an error and an
 * abort of `signal` are `ProviderUnavailable`.
 */
export const fetchDocument = async (address: string, signal: AbortSignal): Promise<Response> =>
  new Response(await get(address, signal))

/** The JSON at an address, within `timeout` milliseconds. */
export const readDocument = async (address: string, timeout: number): Promise<unknown> => {
  const response = await fetchDocument(address, AbortSignal.timeout(timeout))
  try {
    return await response.json()
  } catch (cause) {
    throw new ProviderUnavailable({ address, reason: "the response is not JSON", cause })
  }
}
