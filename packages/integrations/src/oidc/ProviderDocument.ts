/** Fetching what a provider publishes, within bounds of time and size. */
import { Data } from "effect"

/** The provider did not answer as a provider does: it is away, or not itself. */
export class ProviderAway extends Data.TaggedError("ProviderAway")<{
  readonly address: string
  readonly reason: string
  readonly cause?: unknown
}> {
  override get message() {
    return `The identity provider's ${this.address} is not available: ${this.reason}`
  }
}

/** A provider's documents have a few kilobytes. */
const largest = 256 * 1024

const bounded = async (response: Response, address: string): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop closes the connection.
    if (size > largest) throw new ProviderAway({ address, reason: "the answer is too large" })
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

const asked = async (address: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> => {
  try {
    const response = await fetch(address, {
      signal,
      redirect: "manual",
      headers: { accept: "application/json" }
    })
    if (response.status === 200) return await bounded(response, address)
    await response.body?.cancel()
    throw new ProviderAway({ address, reason: `it answered ${response.status}` })
  } catch (cause) {
    if (cause instanceof ProviderAway) throw cause
    const reason = signal.aborted ? "it took too long" : "it could not be reached"
    throw new ProviderAway({ address, reason, cause })
  }
}

/**
 * The bytes at an address, as a response of status 200. Redirects are not followed; whatever else comes, the time
 * that `signal` gives running out included, is a `ProviderAway`.
 */
export const fetchDocument = async (address: string, signal: AbortSignal): Promise<Response> =>
  new Response(await asked(address, signal))

/** The JSON at an address, within `timeout` milliseconds. */
export const readDocument = async (address: string, timeout: number): Promise<unknown> => {
  const response = await fetchDocument(address, AbortSignal.timeout(timeout))
  try {
    return await response.json()
  } catch (cause) {
    throw new ProviderAway({ address, reason: "the answer is not JSON", cause })
  }
}
