/** Sends requests: the credential, the retries, and the errors. */
import type { CallOptions, Full, Query } from "./Calls.ts"
import { type Credentials, makeSession, type Session } from "./Credentials.ts"
import { LiveryError } from "./LiveryError.ts"

/** How requests are sent. */
export interface RequestSettings extends Credentials {
  /** The base address, which ends in `/api/v1`. By default that of the page's own server. */
  readonly baseUrl?: string | undefined
  /** The business that a user acts for; a user with one business needs none. */
  readonly businessId?: number | undefined
  /** How often a request is sent again at most, by default 3. */
  readonly retries?: number | undefined
  /** How long one attempt may take, in milliseconds, by default 30,000. Streams have no limit. */
  readonly timeout?: number | undefined
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Another implementation of `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
}

/** A request of the API. */
export interface ApiRequest {
  readonly method: string
  /** Below the base address; with `^` at the front, below the server's root. */
  readonly path: string
  readonly query?: Query | undefined
  readonly body?: unknown
  /** Whether it is sent without a credential. */
  readonly isPublic?: boolean
  /** Whether it takes the driver's token. */
  readonly takesDriverToken?: boolean
  /** Whether it is carried out once under an `Idempotency-Key`. */
  readonly isRepeatable?: boolean
  readonly isStream?: boolean
}

/** Sends requests to one server. */
export interface Sender {
  readonly session: Session | undefined
  /** What `read` returns for the response, which is a success; otherwise it throws. */
  readonly send: <A>(
    request: ApiRequest,
    options: CallOptions | undefined,
    read: (response: Response) => Promise<A> | A
  ) => Promise<A>
  /** The envelope of the response. */
  readonly json: <A>(request: ApiRequest, options?: CallOptions) => Promise<Full<A>>
}

const etags = new WeakMap<object, string>()

const etagOf = (version: object | string) => {
  const etag = typeof version === "string" ? version : etags.get(version)
  if (etag === undefined) throw new TypeError("ifMatch is not a record that this client read")
  return etag
}

/** Resolves after a time; rejects with the signal's reason as soon as it aborts. */
export const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener("abort", stop, { once: true })
  })

/** A longer `Retry-After`, in milliseconds, is left to the caller. */
export const longestWait = 60_000

/** The time before an attempt, in milliseconds: exponential, with half of it random. */
export const backoff = (attempt: number): number =>
  250 * 2 ** Math.min(attempt, 5) * (0.5 + Math.random() / 2)

/** The milliseconds that `Retry-After` asks for, as seconds or as a date; 0 if it is neither. */
export const waitOf = (headers: Headers | undefined): number => {
  const after = headers?.get("retry-after") ?? ""
  if (/^\d+$/.test(after)) return Number(after) * 1000
  return (after.endsWith(" GMT") && Date.parse(after) - Date.now()) || 0
}

const addressOf = (base: string, { path, query = {} }: ApiRequest) => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== null) parameters.append(name, String(item))
  const root = path.startsWith("^") ? base.replace(/\/api\/v1$/, "") : base
  const search = parameters.toString()
  return `${root}${path.replace("^", "")}${search && `?${search}`}`
}

/** The error of a response that no Livery server sends. */
const unexpected = ({ headers, status }: Response, text: string) => {
  const isRedirect = status >= 300 && status < 400
  const message = isRedirect
    ? `A redirect to ${headers.get("location")}`
    : `Status ${status} with an unknown body: ${text.slice(0, 200)}`
  return new LiveryError({ type: "unexpected_response", message, status, headers })
}

const errorOf = async (response: Response) => {
  const { headers, status } = response
  const text = await response.text()
  try {
    const { error, meta } = JSON.parse(text)
    return new LiveryError({
      ...error,
      type: String(error.type),
      status,
      headers,
      requestId: meta?.request_id
    })
  } catch {
    return unexpected(response, text)
  }
}

const envelopeOf = async (response: Response): Promise<Full<never>> => {
  const { headers, status } = response
  const text = await response.text()
  try {
    const { data, meta }: Full<never> = JSON.parse(text)
    return { data, meta, headers, status }
  } catch {
    throw unexpected(response, text)
  }
}

/** Headers with names in lower case: `fetch` would join two spellings of one name. */
const named = (headers: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** 128 random bits, also on pages that are not served by TLS. */
const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-")

/** Makes the sender of a client. */
export const makeSender = (settings: RequestSettings): Sender => {
  const { retries = 3, timeout = 30_000 } = settings
  const base = (settings.baseUrl ?? "/api/v1").replace(/\/+$/, "")
  const run: (url: string, init: RequestInit) => Promise<Response> =
    settings.fetch ?? ((url, init) => fetch(url, init))

  const session =
    settings.session === undefined
      ? undefined
      : makeSession(settings.session, async (refreshToken) => {
          try {
            const body = refreshToken === undefined ? {} : { refresh_token: refreshToken }
            return (await json<Parameters<Session["take"]>[0]>({ ...refreshing, body })).data
          } catch (error) {
            if (error instanceof LiveryError && (error.status === 401 || error.status === 422))
              return undefined
            throw error
          }
        })
  const refreshing = { method: "POST", path: "/auth/refresh", isPublic: true, isRepeatable: false }

  const credential = (refused: string | undefined) => {
    const { accessToken } = settings
    if (session !== undefined) return session.token(refused)
    return typeof accessToken === "function" ? accessToken() : (accessToken ?? settings.apiKey)
  }

  const send: Sender["send"] = async (request, options = {}, read) => {
    const { body, isRepeatable, isStream, method } = request
    const { signal } = options
    const { businessId = settings.businessId } = options
    const key = isRepeatable ? (options.idempotencyKey ?? newKey()) : undefined
    // A repeated change finds another ETag or another state; a keyed POST is carried out once.
    const isSafe = method === "GET" || key !== undefined
    const query = request.takesDriverToken ? { token: settings.driverToken, ...request.query } : request.query
    const url = addressOf(base, { ...request, query })
    let refused: string | undefined
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted()
      const token = request.isPublic || request.takesDriverToken ? undefined : await credential(refused)
      const headers: Record<string, string> = {
        accept: isStream ? "text/event-stream" : "application/json",
        ...(body !== undefined && !(body instanceof FormData) && { "content-type": "application/json" }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(key !== undefined && { "idempotency-key": key }),
        ...(businessId !== undefined && { "x-business-id": String(businessId) }),
        ...(options.ifMatch !== undefined && { "if-match": etagOf(options.ifMatch) }),
        ...(options.auditReason !== undefined && { "x-audit-reason": options.auditReason }),
        ...(session?.isCookie && request.path.startsWith("/auth/") && { "livery-session": "cookie" }),
        ...named(settings.headers),
        ...named(options.headers)
      }
      const signals = [signal, isStream ? undefined : AbortSignal.timeout(timeout)].filter(
        (it) => it !== undefined
      )
      let failure: LiveryError
      let wait = backoff(attempt)
      let mayRetry = isSafe
      try {
        // A server that redirects is another one, which must not get the credential.
        const init: RequestInit = { method, headers, signal: AbortSignal.any(signals), redirect: "manual" }
        if (body !== undefined) init.body = body instanceof FormData ? body : JSON.stringify(body)
        const response = await run(url, init)
        if (response.ok) return await read(response)
        const { status } = response
        failure = await errorOf(response)
        if (status === 401 && session !== undefined && token !== undefined && refused === undefined) {
          refused = token
          continue
        }
        wait = Math.max(wait, waitOf(response.headers))
        // A 409 with Retry-After: the first request with this key is still running.
        mayRetry =
          status === 429 ||
          status === 503 ||
          (status === 502 && isSafe && failure.type !== "payment_link_failed") ||
          (status === 409 && response.headers.has("retry-after"))
      } catch (cause) {
        signal?.throwIfAborted()
        if (cause instanceof LiveryError) throw cause
        const message = `No response from ${url}`
        failure = new LiveryError({ type: "unreachable", message, status: 0, cause })
      }
      if (!mayRetry || attempt >= retries || wait > longestWait) throw failure
      await pause(wait, signal)
    }
  }

  const json: Sender["json"] = async (request, options) => {
    const full = await send(request, options, envelopeOf)
    const etag = full.headers.get("etag")
    if (etag !== null && typeof full.data === "object" && full.data !== null) etags.set(full.data, etag)
    return full
  }
  return { session, send, json }
}
