/** Why a request failed, in the terms that a screen needs. */

/** A wrong field of a request. */
export interface WrongField {
  readonly field: string
  readonly issue: string
  /** What a conflict is with, such as `price_token`. */
  readonly type?: string
  /** The new address of a business that has moved. */
  readonly url?: string
}

/** The server refused a request, or could not be reached (`status` 0). */
export class Failure extends Error {
  readonly status: number
  readonly type: string
  readonly details: ReadonlyArray<WrongField>

  constructor(status: number, type: string, message: string, details: ReadonlyArray<WrongField> = []) {
    // What only a program can do: a screen asks by a button.
    super(message.replace(/; repeat the request with .*$/u, ""))
    this.status = status
    this.type = type
    this.details = details
  }

  /** Whether the link leads to nothing: it never did, or no longer does. */
  get isNotFound() {
    return this.status === 404
  }

  /** The new address of the business, which has moved. */
  get movedTo(): string | undefined {
    return this.status === 421 ? this.details[0]?.url : undefined
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
