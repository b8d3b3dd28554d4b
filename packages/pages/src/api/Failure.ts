/** Why a request failed, in the terms that a screen needs. */

/** A wrong field of a request. */
export interface WrongField {
  readonly field: string
  readonly issue: string
  /** What a conflict is with, such as `price_token`. */
  readonly type?: string
}

/** The server refused a request, or could not be reached (`status` 0). */
export class Failure extends Error {
  readonly status: number
  readonly type: string
  readonly details: ReadonlyArray<WrongField>

  constructor(status: number, type: string, message: string, details: ReadonlyArray<WrongField> = []) {
    super(message)
    this.status = status
    this.type = type
    this.details = details
  }

  /** Whether the link leads to nothing: it never did, or no longer does. */
  get isNotFound() {
    return this.status === 404
  }

  /** Whether the same request may succeed later. */
  get isPassing() {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}
