/** The port for requests to addresses that a business or a browser chose: gateways for text messages, and push services. */
import { Context, type Effect, Schema } from "effect"

/** A request. A text is sent as UTF-8. */
export interface OutgoingRequest {
  readonly url: string
  readonly method: "GET" | "POST" | "PUT"
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}

/** The response, with the beginning of its body. */
export interface OutgoingResponse {
  readonly status: number
  readonly body: string
}

/** No response came, or the address is not allowed. */
export class RequestUnanswered extends Schema.TaggedError<RequestUnanswered>()("RequestUnanswered", {
  reason: Schema.String
}) {
  override get message() {
    return `The request was not answered: ${this.reason}`
  }
}

/**
 * - `send`: sends a request to an address of the public internet, within a time limit. It follows no redirect. Private addresses
 *   are refused, as for webhooks.
 */
export class OutgoingRequests extends Context.Service<
  OutgoingRequests,
  { readonly send: (request: OutgoingRequest) => Effect.Effect<OutgoingResponse, RequestUnanswered> }
>()("@livery/domain/OutgoingRequests") {}
