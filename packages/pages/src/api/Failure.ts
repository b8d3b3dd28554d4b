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

/** The failure of a request that was sent in any way, also by `@livery/client`. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof Failure) return error
  if (!(error instanceof Error && "status" in error && "type" in error))
    return new Failure(0, "unknown", String(error))
  const { details, message, status, type } = error as Failure
  return new Failure(status, type, message, details)
}
