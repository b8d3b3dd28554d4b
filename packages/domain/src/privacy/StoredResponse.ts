/** The stored response of a request, opened for an erasure. */
import { Schema } from "effect"

const Json = Schema.fromJsonString(Schema.Json)

/**
 * A stored request (`IdempotencyStore`). The body of its response is a JSON text within a JSON text (`IdempotentRequests`
 * of the HTTP adapter), as are the results of its parts.
 */
export const OpenedRequest = Schema.Struct({
  content: Schema.String,
  response: Schema.optionalKey(
    Schema.fromJsonString(
      Schema.Struct({
        status: Schema.Int,
        body: Json,
        headers: Schema.Record(Schema.String, Schema.String)
      })
    )
  ),
  parts: Schema.Record(Schema.String, Json)
})
export type OpenedRequest = typeof OpenedRequest.Type

/** The parts of a stored request that may be personal: the body of its response, or null, and the results of its parts. */
export interface ResponseContent {
  readonly body: Schema.Json
  readonly parts: Readonly<Record<string, Schema.Json>>
}

/** The content of a stored request that may be personal. */
export const contentOfRequest = ({ parts, response }: OpenedRequest): ResponseContent => ({
  body: response?.body ?? null,
  parts
})

/** The request with another content. */
export const withContent = (
  { response, ...rest }: OpenedRequest,
  { body, parts }: ResponseContent
): OpenedRequest => ({
  ...rest,
  parts,
  ...(response === undefined ? {} : { response: { ...response, body } })
})
