/** All fields of the envelope. Tests check which of them a response has. */
export interface Envelope<A> {
  readonly data: A
  readonly error?: {
    readonly type: string
    readonly message: string
    readonly details?: ReadonlyArray<{ readonly field: string; readonly issue: string }>
  }
  readonly meta: {
    readonly request_id: string
    readonly pagination?: {
      readonly page: number
      readonly per_page: number
      readonly count: number
      readonly total?: number
      readonly total_pages?: number
      readonly has_more: boolean
    }
  }
}

/** A response of the API. */
export interface Answer<A = unknown> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Envelope<A>
}

/** Reads a response to its end. It throws, with the body, if that is not JSON. */
export const answerOf = async <A>(response: Response): Promise<Answer<A>> => {
  const text = await response.text()
  const { headers, status } = response
  try {
    return { status, headers, text, body: JSON.parse(text) as Envelope<A> }
  } catch (cause) {
    throw new Error(`${status} with a body that is not JSON: ${text.slice(0, 500)}`, { cause })
  }
}

/** A client of the API. */
export interface Client {
  readonly get: <A = unknown>(path: string) => Promise<Answer<A>>
  readonly post: <A = unknown>(path: string, body?: unknown) => Promise<Answer<A>>
  readonly patch: <A = unknown>(path: string, body: unknown) => Promise<Answer<A>>
  readonly remove: <A = unknown>(path: string, body?: unknown) => Promise<Answer<A>>
}

/** A client of the API at `base` that sends these headers with every request. */
export const clientOf = (base: string, headers: Readonly<Record<string, string>> = {}): Client => {
  const send = async <A>(method: string, path: string, body: unknown) =>
    answerOf<A>(
      await fetch(`${base}${path}`, {
        method,
        headers: body === undefined ? headers : { ...headers, "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
    )
  return {
    get: (path) => send("GET", path, undefined),
    post: (path, body) => send("POST", path, body),
    patch: (path, body) => send("PATCH", path, body),
    remove: (path, body) => send("DELETE", path, body)
  }
}

/** The header of a bearer credential. */
export const bearer = (credential: string) => ({ Authorization: `Bearer ${credential}` })
