/** Requests to the API of the server that serves the page. */
import { Failure, type WrongField } from "./Failure.ts"

/** The address of the API. The scripts lie in a folder beside the pages, also below a path of a proxy. */
export const apiBase: string = import.meta.env.DEV
  ? `${location.origin}/api/v1`
  : new URL(/* @vite-ignore */ "../api/v1", import.meta.url).href

interface Envelope {
  readonly data?: unknown
  readonly error?: {
    readonly type: string
    readonly message: string
    readonly details?: ReadonlyArray<WrongField>
  }
}

/** How long a request may take, in milliseconds. */
const patience = 20_000

/** Opens the address of this page at the new home of its business. The promise stays open, because the page ends. */
const openAt = (address: string): Promise<never> => {
  location.replace(address + location.pathname + location.search + location.hash)
  return new Promise(() => {})
}

/** Whether a request is of a visitor, whose link works at the new home of a business too. An account has to sign in there. */
const isOfVisitor = (path: string) => path.startsWith("/public/") || /[?&]token=/u.test(path)

const read = async <A>(path: string, response: Response): Promise<A> => {
  const body = (await response.json().catch(() => ({}))) as Envelope
  if (response.ok) return body.data as A
  const { details, message = response.statusText, type = "unknown" } = body.error ?? {}
  const failure = new Failure(response.status, type, message, details)
  if (failure.movedTo !== undefined && isOfVisitor(path)) return openAt(failure.movedTo)
  throw failure
}

/** Sends a request, and returns the data of its response. */
export const send = async <A>(path: string, init: RequestInit = {}): Promise<A> => {
  const response = await fetch(`${apiBase}${path}`, {
    cache: "no-store",
    signal: AbortSignal.timeout(patience),
    ...init
  }).catch((error: unknown) => {
    throw new Failure(0, "unreachable", String(error))
  })
  return read<A>(path, response)
}

/** Reads a record. */
export const get = <A>(path: string): Promise<A> => send<A>(path)

/** Sends a body. With the same key, the server carries out a repeated request once. */
export const post = <A>(path: string, body: unknown, key?: string): Promise<A> =>
  send<A>(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(key === undefined ? {} : { "Idempotency-Key": key }) },
    body: JSON.stringify(body)
  })

/** The token in the address of the page (`/track#token`). It is in the fragment, which browsers do not send. */
export const tokenInAddress = (): string => {
  const text = location.hash.slice(1)
  if (text.includes("=")) return ""
  try {
    return decodeURIComponent(text)
  } catch {
    // A link that was cut off can end within an encoded character.
    return text
  }
}

/** A named value in the address of the page (`/pay#invoice=hash`). */
export const valueInAddress = (name: string): string =>
  new URLSearchParams(location.hash.slice(1)).get(name) ?? ""
