/** The stored response of a request, opened for an erasure. */
import { Schema } from "effect"
import { BusinessId } from "../kernel/Ids.ts"

const Json = Schema.fromJsonString(Schema.Json)

/**
 * A stored request (`IdempotencyStore`). The body of its response is a JSON text within a JSON text (`IdempotentRequests`
 * of the HTTP adapter), as are the results of its parts.
 */
export const OpenedRequest = Schema.Struct({
  business_id: Schema.optionalKey(Schema.NullOr(Schema.toType(BusinessId))),
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

/**
 * The parts of a stored request that may be personal: the body of its response, or null, and the results of its parts.
 * `business_id` is the business whose data they are; null if they are no business's.
 */
export interface ResponseContent {
  readonly business_id: BusinessId | null
  readonly body: Schema.Json
  readonly parts: Readonly<Record<string, Schema.Json>>
}

/** The content of a stored request that may be personal. */
export const contentOfRequest = ({
  business_id = null,
  parts,
  response
}: OpenedRequest): ResponseContent => ({
  business_id,
  body: response?.body ?? null,
  parts
})

/** The request with another content. */
export const withContent = (
  { response, ...rest }: OpenedRequest,
  { body, parts }: Pick<ResponseContent, "body" | "parts">
): OpenedRequest => ({
  ...rest,
  parts,
  ...(response === undefined ? {} : { response: { ...response, body } })
})
