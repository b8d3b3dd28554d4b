import type { ErrorDetails } from "./generated/Types.ts"

/** The types of the API's errors, and two of the client's own, for a request without a response that can be read. */
export type ErrorType = keyof ErrorDetails | "unreachable" | "unexpected_response"

export interface Refusal {
  readonly type: string
  readonly message: string
  readonly details?: unknown
  readonly status: number
  readonly requestId?: string | undefined
  readonly headers?: Headers | undefined
  readonly cause?: unknown
}

class Refused extends Error {
  override readonly name = "LiveryError"
  readonly type: string
  readonly details: unknown
  readonly status: number
  readonly requestId: string | undefined
  readonly headers: Headers | undefined

  constructor({ cause, details, headers, message, requestId, status, type }: Refusal) {
    super(message, { cause })
    this.type = type
    this.details = details
    this.status = status
    this.requestId = requestId
    this.headers = headers
  }
}

/** An error of one type. */
export interface LiveryErrorOf<T extends ErrorType> extends Error {
  readonly type: T
  /** What the error is about, such as the wrong fields of an `invalid_request`. */
  readonly details: T extends keyof ErrorDetails ? ErrorDetails[T] : undefined
  /** The status of the response; 0 if there is none. */
  readonly status: number
  /** The id of the request, as it is in the server's log. */
  readonly requestId: string | undefined
  /** The headers of the response; undefined if there is none. */
  readonly headers: Headers | undefined
}

/** A refused or failed call. Once `type` is checked, `details` has its type. */
export type LiveryError = { [T in ErrorType]: LiveryErrorOf<T> }[ErrorType]

/** The class of all errors that calls throw, for `instanceof`. */
export const LiveryError = Refused as unknown as new (refusal: Refusal) => LiveryError
