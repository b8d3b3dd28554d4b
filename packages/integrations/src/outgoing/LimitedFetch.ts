/** Fetches small documents of other servers, with a limit of size. */

/** The limits of a fetch, and the error that it throws. */
export interface LimitedFetch {
  readonly maximumBytes: number
  /** The accepted statuses. */
  readonly statuses: ReadonlyArray<number>
  /** Makes the error of a fetch that failed. */
  readonly failure: (reason: string, cause?: unknown) => Error
}

class ResponseRefused extends Error {}

const readBody = async (response: Response, maximumBytes: number): Promise<Buffer<ArrayBuffer>> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop closes the connection.
    if (size > maximumBytes) throw new ResponseRefused("the response is too large")
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A request, and the signal that ends it. */
interface LimitedRequest extends Omit<RequestInit, "headers" | "redirect" | "signal"> {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** The status and the body of a response with an accepted status. Redirects are not followed. */
export const sendLimited = async (
  address: string | URL,
  { headers, signal, ...request }: LimitedRequest,
  { failure, maximumBytes, statuses }: LimitedFetch
): Promise<{ readonly status: number; readonly body: Buffer<ArrayBuffer> }> => {
  try {
    const response = await fetch(address, {
      ...request,
      signal,
      redirect: "manual",
      headers: { accept: "application/json", ...headers }
    })
    if (statuses.includes(response.status))
      return { status: response.status, body: await readBody(response, maximumBytes) }
    await response.body?.cancel()
    throw new ResponseRefused(`it responded with ${response.status}`)
  } catch (cause) {
    if (cause instanceof ResponseRefused) throw failure(cause.message)
    throw failure(signal.aborted ? "it took too long" : "it could not be reached", cause)
  }
}

/** The body of a document with an accepted status. `signal` ends the fetch. */
export const fetchLimited = async (
  address: string | URL,
  signal: AbortSignal,
  limits: LimitedFetch
): Promise<Buffer<ArrayBuffer>> => (await sendLimited(address, { signal }, limits)).body
