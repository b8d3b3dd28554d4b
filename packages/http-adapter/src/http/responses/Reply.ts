/** The result of handling a request: a response to complete, or a JSON text with its status. */
import { Cause, Effect, Exit, Option, type Schema } from "effect"
import type { HttpServerResponse } from "effect/http"

/** A JSON text as a reply; with an `ETag` if it holds one record. */
export class JsonReply {
  readonly status: number
  readonly text: string
  readonly etag: string | undefined
  constructor(status: number, text: string, etag?: string) {
    this.status = status
    this.text = text
    this.etag = etag
  }
}

/**
 * The failure of a request that did not decode, with its refusal. It is distinct from the refusals of use cases,
 * because it does not use up an idempotency key.
 */
export class Undecodable {
  readonly refusal: unknown
  constructor(refusal: unknown) {
    this.refusal = refusal
  }
}

/** The defect of a handler's value that does not fit the schema of the response. It names no values: they may be a customer's. */
export class UnfitResponse extends Error {
  override readonly message = "A response does not fit its schema"
}

/** Turns a decoding failure into its refusal. A defect stays a defect. */
export const refused = (
  exit: Exit.Failure<unknown, Schema.SchemaError>,
  refusal: (error: Schema.SchemaError) => unknown
): Effect.Effect<never, unknown> => {
  const error = Cause.findErrorOption(exit.cause)
  return Option.isSome(error)
    ? Effect.fail(new Undecodable(refusal(error.value)))
    : Exit.failCause(exit.cause)
}

/** A response to complete, or a JSON text. */
export type Reply = HttpServerResponse.HttpServerResponse | JsonReply
